/** Bounds of a log: in entries and bytes of a queue, and in bytes of a client. Bodies here have 100 bytes. */
import assert from 'node:assert/strict'
import type { Log } from '../../ports/storage/log.ts'
import { bodies, bury, inA, type LogFact, only, options, seqAt } from './fact.ts'

export function boundFacts(fact: LogFact): void {
  fact('a queue that grows beyond the bound loses its oldest entries', async (log) => {
    await log.append([{ queue: 'b', body: '1' }], { perQueue: 2 })
    assert.deepEqual(await log.append(['1', '2'].map(inA), { perQueue: 2 }), { dropped: 0 })
    assert.deepEqual(await log.append(['3', '4', '5'].map(inA), { perQueue: 2 }), { dropped: 3 })
    assert.deepEqual(bodies(await log.lease(options)), { b: ['1'], a: ['4', '5'] })
    assert.equal((await log.depth()).waiting, 3)
  })

  fact('an append without a bound drops nothing', async (log) => {
    assert.deepEqual(await log.append(['1', '2', '3'].map(inA)), { dropped: 0 })
    assert.equal((await log.depth()).waiting, 3)
  })

  fact('a bound that is not a whole number above 0 is refused', async (log) => {
    for (const name of ['perQueue', 'bytesPerQueue', 'bytesPerClient'])
      for (const limit of [0, -1, 1.5, Number.NaN])
        await assert.rejects(log.append([inA('1')], { [name]: limit }), RangeError)
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('a queue that grows beyond its bytes loses its oldest entries', async (log) => {
    assert.deepEqual(await log.append(['1', '2'].map(large), { bytesPerQueue: 299 }), { dropped: 0 })
    assert.deepEqual(await log.append([large('3')], { bytesPerQueue: 299 }), { dropped: 1 })
    assert.deepEqual(starts(await log.lease(options)), ['2', '3'])
  })

  fact('the bytes of a body are those of its UTF-8, however large it is', async (log) => {
    const body = JSON.stringify('é'.repeat(5_000))
    await log.append([inA(body), { queue: 'a', body: new TextEncoder().encode(body) }])
    assert.equal(await log.bytesOfClient('a'), 20_004)
    assert.deepEqual(await log.append([inA('1')], { bytesPerQueue: 20_005 }), { dropped: 0 })
    assert.deepEqual(await log.append([inA('2')], { bytesPerQueue: 20_005 }), { dropped: 1 })
  })

  fact('a queue keeps its newest entry, even if it alone is beyond the bound', async (log) => {
    assert.deepEqual(await log.append(['1', '2'].map(large), { bytesPerQueue: 1 }), { dropped: 1 })
    assert.deepEqual(starts(await log.lease(options)), ['2'])
  })

  fact('accepted entries make room', async (log) => {
    await log.append(['1', '2'].map(large))
    const lease = only(await log.lease(options))
    await log.settle(lease, { accepted: [seqAt(lease, 1), seqAt(lease, 0)] })
    assert.equal(await log.bytesOfClient('a'), 0)
    assert.deepEqual(await log.append(['3', '4'].map(large), { bytesPerQueue: 200 }), { dropped: 0 })
  })

  fact('the oldest buried entries leave before waiting entries', async (log) => {
    await log.append(['1', '2', '3'].map(large))
    await bury(log, only(await log.lease({ ...options, entries: 2 })), 'poison')

    assert.deepEqual(await log.append([large('4')], { bytesPerQueue: 300 }), { dropped: 1 })

    assert.deepEqual(
      (await log.listBuried({ limit: 10 })).map(({ body }) => body.trim()),
      ['2'],
    )
    assert.deepEqual(await log.depth('a').then(({ waiting, buried }) => [waiting, buried]), [2, 1])
    assert.deepEqual(await log.append(['5', '6'].map(large), { bytesPerQueue: 300 }), { dropped: 2 })
    assert.deepEqual(starts(await log.lease(options)), ['4', '5', '6'])
  })

  fact(
    'buried entries that are deleted, and those that are unburied and accepted, make room',
    async (log, { clock }) => {
      await log.append(['1', '2'].map(large))
      await bury(log, only(await log.lease(options)), 'poison')
      assert.equal(await log.bytesOfClient('a'), 200)
      const [first] = await log.listBuried({ limit: 1 })
      await log.unbury([first?.seq ?? 0])
      assert.equal(await log.bytesOfClient('a'), 200)
      const lease = only(await log.lease(options))
      await log.settle(lease, { accepted: [seqAt(lease, 0)] })
      assert.equal(await log.bytesOfClient('a'), 100)
      await clock.advance(1)
      await log.forgetBuried(clock.now())
      assert.equal(await log.bytesOfClient('a'), 0)
    },
  )

  fact('an entry that a bound drops while it is leased makes room once', async (log) => {
    await log.append(['1', '2', '3'].map(large))
    const lease = only(await log.lease(options))
    await log.append([large('4')], { bytesPerQueue: 200 })
    await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })
    assert.equal(await log.bytesOfClient('a'), 100)
  })

  fact('a queue loses its oldest entries when the queues of its client have too many bytes together', async (log) => {
    const [one, two, other] = ['urn:aa:device:acme:1', 'urn:aa:device:acme:2:b', 'urn:aa:device:rival:1']
    const append = (queue: string, text: string) =>
      log.append([{ ...large(text), queue }], { bytesPerQueue: 300, bytesPerClient: 300 })
    await append(one, '1')
    await append(two, '2')
    await append(two, '3')
    await append(other, '4')
    assert.deepEqual(await append(two, '5'), { dropped: 1 })
    assert.deepEqual(starts(await log.lease(options)), ['1', '3', '5', '4'])
    assert.deepEqual(await Promise.all([one, two, other].map((queue) => log.bytesOfClient(queue))), [300, 300, 100])
  })

  fact('what other queues of a client keep is not dropped for a queue with one entry', async (log) => {
    const append = (queue: string, text: string) =>
      log.append([{ ...large(text), queue: `urn:aa:device:acme:${queue}` }], { bytesPerClient: 100 })
    await append('1', '1')
    assert.deepEqual(await append('2', '2'), { dropped: 0 })
    assert.deepEqual(starts(await log.lease(options)), ['1', '2'])
  })
}

/** An entry of 100 bytes in the queue `a`. */
function large(text: string): { queue: string; body: string } {
  return inA(text.padEnd(100))
}

/** What each leased body starts with. */
function starts(leases: Awaited<ReturnType<Log['lease']>>): string[] {
  return Object.values(bodies(leases)).flatMap((texts) => texts.map((text) => text.trim()))
}
