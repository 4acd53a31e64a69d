/** Leases: queues are leased, settled, cooled down and woken. */
import assert from 'node:assert/strict'
import { bodies, inA, type LogFact, only, options, seqAt } from './fact.ts'

export function leaseFacts(fact: LogFact): void {
  fact('entries of a queue are leased in the order of their appends, with unchanged bodies', async (log, { clock }) => {
    await log.append([
      { queue: 'a', body: '{"n":1}' },
      { queue: 'b', body: '{"b":"ü🛰"}' },
    ])
    await log.append([{ queue: 'a', body: '{"n":2}' }])

    const leases = await log.lease(options)

    assert.deepEqual(bodies(leases), { a: ['{"n":1}', '{"n":2}'], b: ['{"b":"ü🛰"}'] })
    assert.equal(leases[0]?.entries[0]?.appendedAtMs, clock.now())
  })

  fact('a leased queue is not leased again before the lease expires', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    await log.lease(options)
    assert.deepEqual(await log.lease(options), [])
    await clock.advance(10_000)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['1'] })
  })

  fact('accepted entries are deleted and the others stay at the head of the queue', async (log) => {
    await log.append(['1', '2', '3'].map((body) => ({ queue: 'a', body })))
    const lease = only(await log.lease({ ...options, entries: 2 }))
    assert.equal(await log.settle(lease, { accepted: [seqAt(lease, 0)] }), true)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['2', '3'] })
  })

  fact('a holder whose lease expired cannot settle a newer lease', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    const late = only(await log.lease(options))
    await clock.advance(10_000)
    const current = only(await log.lease(options))

    assert.ok(current.fence > late.fence)
    assert.equal(await log.settle(late, { accepted: [seqAt(late, 0)] }), false)
    assert.equal((await log.depth()).waiting, 1)
    assert.equal(await log.settle(current, { accepted: [seqAt(current, 0)] }), true)
    assert.equal((await log.depth()).waiting, 0)
  })

  fact('a late holder cannot settle a queue that was emptied and filled again', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    const late = only(await log.lease(options))
    await clock.advance(10_000)
    const current = only(await log.lease(options))
    await log.settle(current, { accepted: [seqAt(current, 0)] })
    await log.append([{ queue: 'a', body: '2' }])

    assert.equal(await log.settle(late, { accepted: [seqAt(late, 0)] }), false)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['2'] })
  })

  fact('a queue is leased when its cooldown has ended, and other queues are not delayed', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    await log.settle(only(await log.lease(options)), { accepted: [], retryAtMs: clock.now() + 5_000 })
    await log.append([
      { queue: 'a', body: '2' },
      { queue: 'b', body: '1' },
    ])

    assert.deepEqual(bodies(await log.lease(options)), { b: ['1'] })
    await clock.advance(5_000)
    assert.deepEqual(bodies(await log.lease(options)), { a: ['1', '2'] })
  })

  fact(
    'a queue in its cooldown is leased at once when it is woken, and a leased queue is not',
    async (log, { clock }) => {
      await log.append([{ queue: 'cooling', body: '1' }])
      await log.settle(only(await log.lease(options)), { accepted: [], retryAtMs: clock.now() + 5_000 })
      await log.append([{ queue: 'leased', body: '1' }])
      await log.lease(options)

      await log.wake('cooling')
      await log.wake('leased')

      assert.deepEqual(bodies(await log.lease(options)), { cooling: ['1'] })
    },
  )

  fact('a queue that is woken while it is leased can be leased at once when it is settled', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    const first = only(await log.lease(options))
    await log.wake('a')
    await log.settle(first, { accepted: [], retryAtMs: clock.now() + 5_000 })
    const again = only(await log.lease(options))
    await log.settle(again, { accepted: [], retryAtMs: clock.now() + 5_000 })

    assert.deepEqual(await log.lease(options), [])
  })

  fact('entries that were dropped while they were leased are skipped when that lease is settled', async (log) => {
    await log.append(['1', '2', '3'].map(inA))
    const lease = only(await log.lease({ ...options, entries: 2 }))
    await log.append([inA('4')], { perQueue: 2 })

    const settlement = { accepted: [seqAt(lease, 0)], buried: [{ seq: seqAt(lease, 1), reason: 'poison' }] }
    assert.equal(await log.settle(lease, settlement), true)

    assert.deepEqual(bodies(await log.lease(options)), { a: ['3', '4'] })
    assert.equal((await log.depth()).buried, 0)
  })

  fact('entries from the middle of a lease are accepted, and the others keep their order', async (log) => {
    await log.append(['1', '2', '3', '4', '5'].map(inA))
    const lease = only(await log.lease({ ...options, entries: 4 }))
    await log.settle(lease, {
      accepted: [seqAt(lease, 1)],
      buried: [{ seq: seqAt(lease, 3), reason: 'poison' }],
    })
    assert.deepEqual(bodies(await log.lease(options)), { a: ['1', '3', '5'] })
  })

  fact(
    'a lease gets no further entry once its bodies are long together, and the next lease has the others',
    async (log) => {
      const all = Array.from({ length: 20 }, (_, n) => JSON.stringify(`${n}`.padEnd(400 * 1024, 'x')))
      await log.append(all.map(inA))

      const leased: string[] = []
      while (leased.length < all.length) {
        const lease = only(await log.lease({ ...options, entries: 20 }))
        const found = lease.entries.map(({ body }) => body)
        assert.ok(found.length >= 1 && found.length <= 13, `the lease has ${found.length} entries`)
        assert.equal(lease.size, found.join('').length)
        leased.push(...found)
        await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })
      }
      assert.ok(all.every((body, n) => body === leased[n]))
    },
  )

  fact('queues with long bodies are all leased, by one call or the next ones', async (log) => {
    const body = JSON.stringify('x'.repeat(1024 * 1024 - 2))
    const queues = Array.from({ length: 40 }, (_, n) => `queue${n}`)
    for (const queue of queues) await log.append([{ queue, body }])
    const leased: string[] = []
    for (let leases = await log.lease({ ...options, queues: 40 }); leases.length > 0; ) {
      for (const { queue, entries } of leases)
        leased.push(...entries.map((entry) => (entry.body === body ? queue : '')))
      leases = await log.lease({ ...options, queues: 40 })
    }
    assert.deepEqual(leased.sort(), queues.sort())
  })

  fact('the queue that was ready first is leased first', async (log, { clock }) => {
    await log.append([{ queue: 'a', body: '1' }])
    await clock.advance(1)
    await log.append([{ queue: 'b', body: '1' }])
    await clock.advance(1)
    const first = only(await log.lease({ ...options, queues: 1 }))
    await log.settle(first, { accepted: [] })
    await clock.advance(1)

    const order = [await log.lease({ ...options, queues: 1 }), await log.lease({ ...options, queues: 1 })]
    assert.deepEqual(
      order.map((leases) => only(leases).queue),
      ['b', 'a'],
    )
  })
}
