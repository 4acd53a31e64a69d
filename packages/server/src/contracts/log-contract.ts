/** What every `ReportLog` and `DeliveryLog` does, as tests over a fresh one each. */
import assert from 'node:assert/strict'
import type { Lease, Log } from '../ports/log.ts'
import { over, type RegisterTest, type Subject } from './contract.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

const options = { lines: 10, entries: 10, leaseMs: 10_000 }

export function logContract(
  test: RegisterTest,
  create: (options: { clock: ManualClock }) => Promise<Subject<Log>>,
): void {
  const fact = over(test, create, () => ({ clock: createManualClock() }))

  fact('entries of a line are leased in the order of their appending, bodies untouched', async (log, { clock }) => {
    await log.append([
      { line: 'a', body: '{"n":1}' },
      { line: 'b', body: '{"b":"ü🛰"}' },
    ])
    await log.append([{ line: 'a', body: '{"n":2}' }])

    const leases = await log.lease(options)

    assert.deepEqual(bodies(leases), { a: ['{"n":1}', '{"n":2}'], b: ['{"b":"ü🛰"}'] })
    assert.equal(leases[0]?.entries[0]?.appendedAtMs, clock.now())
  })

  fact('a leased line is not leased again before the lease runs out', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    await log.lease(options)
    assert.deepEqual(await log.lease(options), [])
    await clock.advance(10_000)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['1'] })
  })

  fact('accepted entries are gone and the rest stays at the head of the line', async (log) => {
    await log.append(['1', '2', '3'].map((body) => ({ line: 'a', body })))
    const lease = only(await log.lease({ ...options, entries: 2 }))
    assert.equal(await log.settle(lease, { accepted: [seqAt(lease, 0)] }), true)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['2', '3'] })
  })

  fact('a holder whose lease ran out cannot settle what another one holds', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    const late = only(await log.lease(options))
    await clock.advance(10_000)
    const current = only(await log.lease(options))

    assert.ok(current.fence > late.fence)
    assert.equal(await log.settle(late, { accepted: [seqAt(late, 0)] }), false)
    assert.equal((await log.depth()).waiting, 1)
    assert.equal(await log.settle(current, { accepted: [seqAt(current, 0)] }), true)
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('a holder of an emptied and refilled line stays locked out', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    const late = only(await log.lease(options))
    await clock.advance(10_000)
    const current = only(await log.lease(options))
    await log.settle(current, { accepted: [seqAt(current, 0)] })
    await log.append([{ line: 'a', body: '2' }])

    assert.equal(await log.settle(late, { accepted: [seqAt(late, 0)] }), false)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['2'] })
  })

  fact('a line that rests is leased when its time has come, and others are not delayed', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    await log.settle(only(await log.lease(options)), { accepted: [], holdUntilMs: clock.now() + 5_000 })
    await log.append([
      { line: 'a', body: '2' },
      { line: 'b', body: '1' },
    ])

    assert.deepEqual(bodies(await log.lease(options)), { b: ['1'] })
    await clock.advance(5_000)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['1', '2'] })
  })

  fact('a resting line that is woken is leased at once, a held one is not', async (log, { clock }) => {
    await log.append([{ line: 'resting', body: '1' }])
    await log.settle(only(await log.lease(options)), { accepted: [], holdUntilMs: clock.now() + 5_000 })
    await log.append([{ line: 'held', body: '1' }])
    await log.lease(options)

    await log.wake('resting')
    await log.wake('held')

    assert.deepEqual(bodies(await log.lease(options)), { resting: ['1'] })
  })

  fact('a line that is woken while it is held does not rest when it is settled', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    const held = only(await log.lease(options))
    await log.wake('a')
    await log.settle(held, { accepted: [], holdUntilMs: clock.now() + 5_000 })
    const again = only(await log.lease(options))
    await log.settle(again, { accepted: [], holdUntilMs: clock.now() + 5_000 })

    assert.deepEqual(await log.lease(options), [])
  })

  fact('a buried entry leaves its line and is counted', async (log) => {
    await log.append(['1', '2'].map((body) => ({ line: 'a', body })))
    const lease = only(await log.lease(options))
    await log.settle(lease, { accepted: [], buried: [{ seq: seqAt(lease, 0), reason: 'stage "route" threw' }] })
    assert.deepEqual(bodies(await log.lease(options)), { a: ['2'] })
    assert.equal((await log.depth()).buried, 1)
  })

  fact('the depth tells how many wait and since when', async (log, { clock }) => {
    assert.deepEqual(await log.depth(), { waiting: 0, buried: 0, oldestAppendedAtMs: null })
    const firstAtMs = clock.now()
    await log.append([{ line: 'a', body: '1' }])
    await clock.advance(1_000)
    await log.append([{ line: 'b', body: '1' }])
    assert.deepEqual(await log.depth(), { waiting: 2, buried: 0, oldestAppendedAtMs: firstAtMs })
  })

  fact('watchers hear of appended entries until they stop', async (log) => {
    let heard = 0
    const stop = log.watch(() => heard++)
    await log.append([{ line: 'a', body: '1' }])
    stop()
    await log.append([{ line: 'a', body: '2' }])
    assert.equal(heard, 1)
  })

  fact('the depth of one line tells of that line alone', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    await clock.advance(1_000)
    const laterAtMs = clock.now()
    await log.append(['1', '2', '3'].map((body) => ({ line: 'b', body })))
    const b = (await log.lease(options)).find(({ line }) => line === 'b') ?? assert.fail('"b" is not leased')
    await log.settle(b, { accepted: [], buried: [{ seq: seqAt(b, 0), reason: 'poison' }] })

    assert.deepEqual(await log.depth('b'), { waiting: 2, buried: 1, oldestAppendedAtMs: laterAtMs })
    assert.deepEqual(await log.depth('c'), { waiting: 0, buried: 0, oldestAppendedAtMs: null })
  })

  fact('a lone surrogate is refused, and nothing of that call is stored', async (log) => {
    await assert.rejects(
      log.append([
        { line: 'a', body: '"good"' },
        { line: 'a', body: '"\ud83d"' },
      ]),
    )
    await assert.rejects(log.append([{ line: '\udc00', body: '"good"' }]))
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('a body that names "__proto__" comes back as it was given', async (log) => {
    const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"b":"\\u0000"}'
    await log.append([{ line: 'a', body, value: JSON.parse(body) }])
    const lease = only(await log.lease(options))
    assert.equal(lease.entries[0]?.body, body)
    assert.equal(Object.hasOwn({}, 'polluted') || 'polluted' in {}, false)
  })

  fact('a line may be called "__proto__"', async (log) => {
    await log.append([{ line: '__proto__', body: '1' }])
    const lease = only(await log.lease(options))
    assert.equal(await log.settle(lease, { accepted: [seqAt(lease, 0)] }), true)
    assert.equal((await log.depth('__proto__')).waiting, 0)
  })

  fact('bodies of 1 MiB come back whole', async (log) => {
    const body = JSON.stringify('é'.repeat(512 * 1024 - 1))
    await log.append([
      { line: 'a', body },
      { line: 'a', body },
    ])
    const lease = only(await log.lease(options))
    assert.deepEqual(
      lease.entries.map((entry) => entry.body === body),
      [true, true],
    )
  })

  fact('a value that is handed back says what the body says', async (log) => {
    const value = { positions: [{ id: 'p1' }] }
    await log.append([{ line: 'a', body: JSON.stringify(value), value }])
    const [entry] = only(await log.lease(options)).entries
    assert.deepEqual(JSON.parse(entry?.body ?? ''), value)
    if (entry?.value !== undefined) assert.deepEqual(entry.value, value)
  })

  fact('a line that grows beyond the bound loses its oldest entries', async (log) => {
    await log.append([{ line: 'b', body: '1' }], { perLine: 2 })
    assert.deepEqual(await log.append(['1', '2'].map(inA), { perLine: 2 }), { dropped: 0 })
    assert.deepEqual(await log.append(['3', '4', '5'].map(inA), { perLine: 2 }), { dropped: 3 })
    assert.deepEqual(bodies(await log.lease(options)), { b: ['1'], a: ['4', '5'] })
    assert.equal((await log.depth()).waiting, 3)
  })

  fact('an append without a bound drops nothing', async (log) => {
    assert.deepEqual(await log.append(['1', '2', '3'].map(inA)), { dropped: 0 })
    assert.equal((await log.depth()).waiting, 3)
  })

  fact('a bound that is not a whole number above 0 is refused', async (log) => {
    for (const perLine of [0, -1, 1.5, Number.NaN])
      await assert.rejects(log.append([inA('1')], { perLine }), RangeError)
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('entries that were dropped while they were leased are passed over when that lease is settled', async (log) => {
    await log.append(['1', '2', '3'].map(inA))
    const lease = only(await log.lease({ ...options, entries: 2 }))
    await log.append([inA('4')], { perLine: 2 })

    const settlement = { accepted: [seqAt(lease, 0)], buried: [{ seq: seqAt(lease, 1), reason: 'poison' }] }
    assert.equal(await log.settle(lease, settlement), true)

    assert.deepEqual(bodies(await log.lease(options)), { a: ['3', '4'] })
    assert.equal((await log.depth()).buried, 0)
  })

  fact('what waits in a line is listed oldest first, page by page, leased or not', async (log, { clock }) => {
    await log.append(['1', '2', '3'].map(inA))
    await log.append([{ line: 'b', body: '4' }])
    await log.lease({ ...options, entries: 2 })

    const first = await log.list('a', { limit: 2 })
    const rest = await log.list('a', { afterSeq: first.at(-1)?.seq ?? 0, limit: 2 })

    assert.deepEqual(
      [first, rest].map((page) => page.map(({ body }) => body)),
      [['1', '2'], ['3']],
    )
    assert.equal(first[0]?.appendedAtMs, clock.now())
    assert.deepEqual(await log.list('none', { limit: 2 }), [])
  })

  fact('what was buried is listed with its reason and its time, of one line or of all', async (log, { clock }) => {
    await log.append([...['1', '2', '3'].map(inA), { line: 'b', body: '4' }])
    const appendedAtMs = clock.now()
    await clock.advance(1_000)
    for (const lease of await log.lease(options)) await bury(log, lease, `poison in ${lease.line}`)

    const all = await log.listBuried({ limit: 10 })
    const [first, second] = await log.listBuried({ line: 'a', limit: 2 })
    const rest = await log.listBuried({ line: 'a', afterSeq: second?.seq ?? 0, limit: 2 })

    assert.deepEqual(
      all.map(({ line, body }) => `${line}${body}`),
      ['a1', 'a2', 'a3', 'b4'],
    )
    assert.deepEqual(first && { ...first, seq: 0 }, {
      seq: 0,
      line: 'a',
      body: '1',
      reason: 'poison in a',
      appendedAtMs,
      buriedAtMs: clock.now(),
    })
    assert.deepEqual([first?.body, second?.body, ...rest.map(({ body }) => body)], ['1', '2', '3'])
  })

  fact('unburied entries stand at the tail of their line, as if they came now', async (log, { clock }) => {
    await log.append(['1', '2'].map(inA))
    const lease = only(await log.lease(options))
    await bury(log, lease, 'poison')
    await log.append([inA('3')])
    await clock.advance(1_000)

    const places = lease.entries.map(({ seq }) => seq)
    assert.equal(await log.unbury([...places, 987_654_321]), 2)

    const again = only(await log.lease(options))
    assert.deepEqual(bodies([again]), { a: ['3', '1', '2'] })
    assert.ok(seqAt(again, 0) < seqAt(again, 1) && seqAt(again, 1) < seqAt(again, 2))
    assert.equal(again.entries[1]?.appendedAtMs, clock.now())
    assert.deepEqual(await log.listBuried({ limit: 10 }), [])
    assert.equal(await log.unbury(places), 0)
  })

  fact('watchers hear of what is unburied', async (log) => {
    await log.append([inA('1')])
    const lease = only(await log.lease(options))
    await bury(log, lease, 'poison')
    let heard = 0
    const stop = log.watch(() => heard++)
    await log.unbury([seqAt(lease, 0)])
    stop()
    assert.ok(heard > 0)
  })

  fact('what was buried before a time is forgotten, later burials are kept', async (log, { clock }) => {
    for (const body of ['old', 'new']) {
      await clock.advance(1_000)
      await log.append([inA(body)])
      await bury(log, only(await log.lease(options)), 'poison')
    }
    assert.equal(await log.forgetBuried(clock.now()), 1)
    assert.deepEqual(
      (await log.listBuried({ limit: 10 })).map(({ body }) => body),
      ['new'],
    )
    assert.equal((await log.depth()).buried, 1)
  })

  fact('places are given once: not again after all that stood there is gone', async (log) => {
    await log.append([inA('1')])
    const first = only(await log.lease(options))
    await log.settle(first, { accepted: [seqAt(first, 0)] })
    await log.append([inA('2')])
    assert.ok(seqAt(only(await log.lease(options)), 0) > seqAt(first, 0))
  })

  fact('entries from the middle of a lease are accepted, and the rest keeps its order', async (log) => {
    await log.append(['1', '2', '3', '4', '5'].map(inA))
    const lease = only(await log.lease({ ...options, entries: 4 }))
    await log.settle(lease, {
      accepted: [seqAt(lease, 1)],
      buried: [{ seq: seqAt(lease, 3), reason: 'poison' }],
    })
    assert.deepEqual(bodies(await log.lease(options)), { a: ['1', '3', '5'] })
  })

  fact('the line that was ready first is leased first', async (log, { clock }) => {
    await log.append([{ line: 'a', body: '1' }])
    await clock.advance(1)
    await log.append([{ line: 'b', body: '1' }])
    await clock.advance(1)
    const first = only(await log.lease({ ...options, lines: 1 }))
    await log.settle(first, { accepted: [] })
    await clock.advance(1)

    const order = [await log.lease({ ...options, lines: 1 }), await log.lease({ ...options, lines: 1 })]
    assert.deepEqual(
      order.map((leases) => only(leases).line),
      ['b', 'a'],
    )
  })

  fact('1,000 concurrent appends keep the order of each line', async (log) => {
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => log.append([{ line: `line${n % 10}`, body: String(n) }])))
    const leases = await log.lease({ ...options, entries: 1_000 })
    assert.equal(leases.length, 10)
    for (const { line, entries } of leases) {
      const digit = Number(line.slice(-1))
      assert.deepEqual(
        entries.map(({ body }) => Number(body)),
        Array.from({ length: 100 }, (_, n) => n * 10 + digit),
      )
    }
  })
}

function bodies(leases: Lease[]): Record<string, string[]> {
  return Object.fromEntries(leases.map(({ line, entries }) => [line, entries.map(({ body }) => body)]))
}

function inA(body: string): { line: string; body: string } {
  return { line: 'a', body }
}

async function bury(log: Log, lease: Lease, reason: string): Promise<void> {
  await log.settle(lease, { accepted: [], buried: lease.entries.map(({ seq }) => ({ seq, reason })) })
}

function only(leases: Lease[]): Lease {
  const [lease] = leases
  assert.ok(lease && leases.length === 1, `one lease expected, got ${leases.length}`)
  return lease
}

function seqAt(lease: Lease, index: number): number {
  return lease.entries[index]?.seq ?? assert.fail(`no entry ${index}`)
}
