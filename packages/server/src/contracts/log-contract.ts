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

function only(leases: Lease[]): Lease {
  const [lease] = leases
  assert.ok(lease && leases.length === 1, `one lease expected, got ${leases.length}`)
  return lease
}

function seqAt(lease: Lease, index: number): number {
  return lease.entries[index]?.seq ?? assert.fail(`no entry ${index}`)
}
