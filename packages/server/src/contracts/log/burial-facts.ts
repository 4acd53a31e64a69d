/** Entries that could not be processed: buried with a reason, listed, unburied, deleted. */
import assert from 'node:assert/strict'
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
}
