/** Entries of a log: stored unchanged, in order, with their seqs; listed and counted. */
import assert from 'node:assert/strict'
import { inA, type LogFact, only, options, seqAt } from './fact.ts'

export function entryFacts(fact: LogFact): void {
  fact('the depth contains the number of waiting entries and the time of the oldest', async (log, { clock }) => {
    assert.deepEqual(await log.depth(), { waiting: 0, buried: 0, oldestAppendedAtMs: null })
    const firstAtMs = clock.now()
    await log.append([{ queue: 'a', body: '1' }])
    await clock.advance(1_000)
    await log.append([{ queue: 'b', body: '1' }])
    assert.deepEqual(await log.depth(), { waiting: 2, buried: 0, oldestAppendedAtMs: firstAtMs })
  })

  fact('watchers are called for appended entries until they are removed', async (log) => {
    let heard = 0
    const stop = log.watch(() => heard++)
    await log.append([{ queue: 'a', body: '1' }])
    stop()
    await log.append([{ queue: 'a', body: '2' }])
    assert.equal(heard, 1)
  })

  fact('the depth of one queue counts only that queue', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    await clock.advance(1_000)
    const laterAtMs = clock.now()
    await log.append(['1', '2', '3'].map((body) => ({ queue: 'b', body })))
    const b = (await log.lease(options)).find(({ queue }) => queue === 'b') ?? assert.fail('"b" is not leased')
    await log.settle(b, { accepted: [], buried: [{ seq: seqAt(b, 0), reason: 'poison' }] })

    assert.deepEqual(await log.depth('b'), { waiting: 2, buried: 1, oldestAppendedAtMs: laterAtMs })
    assert.deepEqual(await log.depth('c'), { waiting: 0, buried: 0, oldestAppendedAtMs: null })
  })

  fact('the depth of a queue that was emptied has no oldest entry', async (log) => {
    await log.append([inA('1')])
    const lease = only(await log.lease(options))
    await log.settle(lease, { accepted: [seqAt(lease, 0)] })
    assert.deepEqual(await log.depth('a'), { waiting: 0, buried: 0, oldestAppendedAtMs: null })
  })

  fact('a lone surrogate is refused, and nothing of that call is stored', async (log) => {
    await assert.rejects(
      log.append([
        { queue: 'a', body: '"good"' },
        { queue: 'a', body: '"\ud83d"' },
      ]),
    )
    await assert.rejects(log.append([{ queue: '\udc00', body: '"good"' }]))
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('a body of bytes is returned as its text, and the bytes are not changed', async (log) => {
    const body = JSON.stringify('é'.repeat(5_000))
    const bytes = new TextEncoder().encode(`--${body}--`).subarray(2, -2)
    await log.append([{ queue: 'a', body: bytes, value: 1 }])
    assert.equal(only(await log.lease(options)).entries[0]?.body, body)
    assert.equal(new TextDecoder().decode(bytes), body)
  })

  fact('bytes that are not UTF-8 are refused, and nothing of that call is stored', async (log) => {
    const bytes = new Uint8Array([0x22, 0xed, 0xa0, 0xbd, 0x22])
    await assert.rejects(log.append([inA('1'), { queue: 'a', body: bytes }]), RangeError)
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('a body with a member "__proto__" is returned unchanged', async (log) => {
    const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"b":"\\u0000"}'
    await log.append([{ queue: 'a', body, value: JSON.parse(body) }])
    const lease = only(await log.lease(options))
    assert.equal(lease.entries[0]?.body, body)
    assert.equal(Object.hasOwn({}, 'polluted') || 'polluted' in {}, false)
  })

  fact('a queue may be called "__proto__"', async (log) => {
    await log.append([{ queue: '__proto__', body: '1' }])
    const lease = only(await log.lease(options))
    assert.equal(await log.settle(lease, { accepted: [seqAt(lease, 0)] }), true)
    assert.equal((await log.depth('__proto__')).waiting, 0)
  })

  fact('bodies of 1 MiB are returned complete', async (log) => {
    const body = JSON.stringify('é'.repeat(512 * 1024 - 1))
    await log.append([
      { queue: 'a', body },
      { queue: 'a', body },
    ])
    const lease = only(await log.lease(options))
    assert.deepEqual(
      lease.entries.map((entry) => entry.body === body),
      [true, true],
    )
  })

  fact('a value that is returned equals the body', async (log) => {
    const value = { positions: [{ id: 'p1' }] }
    await log.append([{ queue: 'a', body: JSON.stringify(value), value }])
    const [entry] = only(await log.lease(options)).entries
    assert.deepEqual(JSON.parse(entry?.body ?? ''), value)
    if (entry?.value !== undefined) assert.deepEqual(entry.value, value)
  })

  fact(
    'the waiting entries of a queue are listed oldest first, page by page, leased or not',
    async (log, { clock }) => {
      await log.append(['1', '2', '3'].map(inA))
      await log.append([{ queue: 'b', body: '4' }])
      await log.lease({ ...options, entries: 2 })

      const first = await log.list('a', { limit: 2 })
      const rest = await log.list('a', { afterSeq: first.at(-1)?.seq ?? 0, limit: 2 })

      assert.deepEqual(
        [first, rest].map((page) => page.map(({ body }) => body)),
        [['1', '2'], ['3']],
      )
      assert.equal(first[0]?.appendedAtMs, clock.now())
      assert.deepEqual(await log.list('none', { limit: 2 }), [])
    },
  )

  fact(
    'a list reads only the beginnings of bodies if it is asked to, and all entries however large they are',
    async (log) => {
      const large = (n: number) => `{"n":${n},"large":"${'x'.repeat(900_000)}"}`
      await log.append([1, 2, 3, 4, 5].map((n) => inA(large(n))))
      const lease = only(await log.lease({ ...options, entries: 1 }))
      await log.settle(lease, { accepted: [], buried: [{ seq: seqAt(lease, 0), reason: 'no' }] })

      const beginnings = [2, 3, 4, 5].map((n) => `{"n":${n},`)
      const listed = await log.list('a', { limit: 10, characters: 7 })
      assert.deepEqual(
        listed.map(({ body }) => body),
        beginnings,
      )
      assert.deepEqual(
        (await log.listBuried({ limit: 10, characters: 7 })).map(({ body }) => body),
        ['{"n":1,'],
      )
      assert.equal((await log.list('a', { limit: 1 }))[0]?.body, large(2))
    },
  )

  fact('entries keep their times after hundreds of entries before them were settled', async (log, { clock }) => {
    const times: number[] = []
    for (let n = 0; n < 200; n++) {
      times.push(clock.now())
      await log.append([inA(String(n))])
      await clock.advance(1)
    }
    const first = only(await log.lease({ ...options, entries: 150 }))
    await log.settle(first, { accepted: first.entries.map(({ seq }) => seq) })

    assert.equal((await log.depth('a')).oldestAppendedAtMs, times[150])
    assert.deepEqual(
      only(await log.lease({ ...options, entries: 50 })).entries.map(({ body, appendedAtMs }) => [body, appendedAtMs]),
      times.slice(150).map((atMs, index) => [String(150 + index), atMs]),
    )
  })

  fact('a seq is not assigned again, even after all entries are deleted', async (log) => {
    await log.append([inA('1')])
    const first = only(await log.lease(options))
    await log.settle(first, { accepted: [seqAt(first, 0)] })
    await log.append([inA('2')])
    assert.ok(seqAt(only(await log.lease(options)), 0) > seqAt(first, 0))
  })

  fact('1,000 concurrent appends keep the order of each queue', async (log) => {
    await Promise.all(
      Array.from({ length: 1_000 }, (_, n) => log.append([{ queue: `queue${n % 10}`, body: String(n) }])),
    )
    const leases = await log.lease({ ...options, entries: 1_000 })
    assert.equal(leases.length, 10)
    for (const { queue, entries } of leases) {
      const digit = Number(queue.slice(-1))
      assert.deepEqual(
        entries.map(({ body }) => Number(body)),
        Array.from({ length: 100 }, (_, n) => n * 10 + digit),
      )
    }
  })
}
