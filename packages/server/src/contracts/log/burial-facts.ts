/** Entries that could not be processed: buried with a reason, listed, unburied, deleted. */
import assert from 'node:assert/strict'
import type { Log } from '../../ports/storage/log.ts'
import { bodies, bury, inA, type LogFact, only, options, seqAt } from './fact.ts'

export function burialFacts(fact: LogFact): void {
  fact('a buried entry leaves its queue and is counted', async (log) => {
    await log.append(['1', '2'].map((body) => ({ queue: 'a', body })))
    const lease = only(await log.lease(options))
    await log.settle(lease, { accepted: [], buried: [{ seq: seqAt(lease, 0), reason: 'stage "route" threw' }] })
    assert.deepEqual(bodies(await log.lease(options)), { a: ['2'] })
    assert.equal((await log.depth()).buried, 1)
  })

  fact('buried entries of one queue or of all queues are listed with reason and time', async (log, { clock }) => {
    await log.append([...['1', '2', '3'].map(inA), { queue: 'b', body: '4' }])
    const appendedAtMs = clock.now()
    await clock.advance(1_000)
    for (const lease of await log.lease(options)) await bury(log, lease, `poison in ${lease.queue}`)

    const all = await log.listBuried({ limit: 10 })
    const [first, second] = await log.listBuried({ queue: 'a', limit: 2 })
    const rest = await log.listBuried({ queue: 'a', afterSeq: second?.seq ?? 0, limit: 2 })

    assert.deepEqual(
      all.map(({ queue, body }) => `${queue}${body}`),
      ['a1', 'a2', 'a3', 'b4'],
    )
    assert.deepEqual(first && { ...first, seq: 0 }, {
      seq: 0,
      queue: 'a',
      body: '1',
      reason: 'poison in a',
      appendedAtMs,
      buriedAtMs: clock.now(),
    })
    assert.deepEqual([first?.body, second?.body, ...rest.map(({ body }) => body)], ['1', '2', '3'])
  })

  fact('unburied entries are at the tail of their queue, as if they were new', async (log, { clock }) => {
    await log.append(['1', '2'].map(inA))
    const lease = only(await log.lease(options))
    await bury(log, lease, 'poison')
    await log.append([inA('3')])
    await clock.advance(1_000)

    const seqs = lease.entries.map(({ seq }) => seq)
    assert.equal(await log.unbury([...seqs, 987_654_321]), 2)

    const again = only(await log.lease(options))
    assert.deepEqual(bodies([again]), { a: ['3', '1', '2'] })
    assert.ok(seqAt(again, 0) < seqAt(again, 1) && seqAt(again, 1) < seqAt(again, 2))
    assert.equal(again.entries[1]?.appendedAtMs, clock.now())
    assert.deepEqual(await log.listBuried({ limit: 10 }), [])
    assert.equal(await log.unbury(seqs), 0)
  })

  fact('the oldest buried entries of a queue are found by their seqs', async (log) => {
    await log.append([...['1', '2', '3'].map(inA), { queue: 'b', body: '4' }])
    const leases = await log.lease(options)
    for (const lease of leases.toReversed()) await bury(log, lease, 'poison')

    const seqs = leases.find(({ queue }) => queue === 'a')?.entries.map(({ seq }) => seq)
    assert.deepEqual(await log.oldestBuried('a', 2), seqs?.slice(0, 2))
    assert.deepEqual(await log.oldestBuried('a', 9), seqs)
    assert.deepEqual(await log.oldestBuried('none', 9), [])
  })

  fact('other calls do not wait until all of many entries are unburied, and these keep their order', async (log) => {
    const seqs = await buryMany(log)
    const unburied = log.unbury(seqs)
    await log.append([{ queue: 'b', body: '1' }])

    assert.ok((await log.depth('a')).buried > 0)
    assert.equal(await unburied, seqs.length)
    assert.equal((await log.depth('a')).buried, 0)
    const order = await log.list('a', { limit: many, characters: 4 })
    assert.deepEqual(
      order.map(({ body }) => Number(body)),
      Array.from({ length: many }, (_, n) => 1_000 + n),
    )
  })

  fact('many entries that were buried before a time are all deleted', async (log, { clock }) => {
    await buryMany(log)
    await clock.advance(1)
    assert.equal(await log.forgetBuried(clock.now()), many)
    assert.deepEqual([(await log.depth()).buried, await log.bytesOfClient('a')], [0, 0])
  })

  fact('an entry that was appended before a time and buried after it is kept', async (log, { clock }) => {
    await log.append([inA('1')])
    await clock.advance(1_000)
    const betweenMs = clock.now()
    await clock.advance(1_000)
    await bury(log, only(await log.lease(options)), 'poison')
    assert.equal(await log.forgetBuried(betweenMs), 0)
    assert.equal((await log.depth()).buried, 1)
  })

  fact('watchers are called for unburied entries', async (log) => {
    await log.append([inA('1')])
    const lease = only(await log.lease(options))
    await bury(log, lease, 'poison')
    let heard = 0
    const stop = log.watch(() => heard++)
    await log.unbury([seqAt(lease, 0)])
    stop()
    assert.ok(heard > 0)
  })

  fact('entries that were buried before a time are deleted, and later ones are kept', async (log, { clock }) => {
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

  fact(
    'the buried entries of one queue that were appended before a time are deleted, and no others',
    async (log, { clock }) => {
      const buryInEach = async (body: string) => {
        await log.append([inA(body), { queue: 'b', body }])
        for (const lease of await log.lease(options)) await bury(log, lease, 'poison')
      }
      await buryInEach('old')
      await clock.advance(1_000)
      const betweenMs = clock.now()
      await buryInEach('new')

      assert.equal(await log.forgetBuriedOf('a', betweenMs), 1)
      assert.equal(await log.forgetBuriedOf('a', betweenMs), 0)
      const left = await log.listBuried({ limit: 10 })
      assert.deepEqual(left.map(({ queue, body }) => `${queue} ${body}`).sort(), ['a new', 'b new', 'b old'])
      assert.deepEqual([(await log.depth('a')).buried, (await log.depth('b')).buried], [1, 2])
    },
  )

  fact('many buried entries of one queue are deleted', async (log, { clock }) => {
    await buryMany(log)
    await clock.advance(1_000)
    assert.equal(await log.forgetBuriedOf('a', clock.now()), many)
    assert.deepEqual([(await log.depth()).buried, await log.bytesOfClient('a')], [0, 0])
  })
}

/** More than a few portions, by their number and by their bytes. */
const many = 350

/** Returns the seqs of many large buried entries in the queue `a`. Each body begins with its number, from 1000 on. */
async function buryMany(log: Log): Promise<number[]> {
  const large = Array.from({ length: many }, (_, n) => `${1_000 + n}`.padEnd(30_000))
  for (let n = 0; n < many; n += 50) await log.append(large.slice(n, n + 50).map(inA))
  const seqs: number[] = []
  while (seqs.length < many) {
    const lease = only(await log.lease({ ...options, entries: many }))
    await bury(log, lease, 'poison')
    seqs.push(...lease.entries.map(({ seq }) => seq))
  }
  return seqs
}
