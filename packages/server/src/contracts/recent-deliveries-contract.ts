/** The contract of every `RecentDeliveries`: tests that each run on a new instance. */
import assert from 'node:assert/strict'
import { keptDeliveries, type RecentDeliveries, type RecentDelivery } from '../ports/storage/recent-deliveries.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'

export function recentDeliveriesContract(test: RegisterTest, create: () => Promise<Subject<RecentDeliveries>>): void {
  const fact = createFact(test, create, () => undefined)
  const idsOf = async (recent: RecentDeliveries, urn: string) => (await recent.list(urn)).map(({ id }) => id)

  fact('deliveries are listed unchanged, per device, the last stored one first', async (recent) => {
    const refused = aDelivery('a', '2', { state: 'buried', reason: 'The relay answered 400', message: '"ü🛰\\u0000"' })
    await recent.keep([aDelivery('a', '1'), refused, aDelivery('b', '3')])
    assert.deepEqual(await recent.list('a'), [refused, aDelivery('a', '1')])
    assert.deepEqual(await recent.list('b'), [aDelivery('b', '3')])
    assert.deepEqual(await recent.list('c'), [])
  })

  fact('one delivery is found by its device and its id', async (recent) => {
    await recent.keep([aDelivery('a', '1'), aDelivery('b', '1', { positions: 7 })])
    assert.equal((await recent.find('b', '1'))?.positions, 7)
    assert.equal(await recent.find('b', '2'), undefined)
    assert.equal(await recent.find('c', '1'), undefined)
  })

  fact('a delivery that is stored again replaces the earlier one and becomes the latest', async (recent) => {
    await recent.keep([aDelivery('a', '1'), aDelivery('a', '2')])
    await recent.keep([aDelivery('a', '1', { attemptCount: 2 })])
    assert.deepEqual(await idsOf(recent, 'a'), ['1', '2'])
    assert.equal((await recent.find('a', '1'))?.attemptCount, 2)
  })

  fact('only the latest deliveries of a device are kept, even when many are stored at once', async (recent) => {
    await recent.keep([aDelivery('b', 'other')])
    const ids: string[] = []
    for (let n = 0; n < 30; n++) {
      const some = Array.from({ length: (n * 7) % 20 }, (_, index) => `${n}.${index}`)
      ids.push(...some)
      await recent.keep(some.map((id) => aDelivery('a', id)))
    }
    assert.deepEqual(await idsOf(recent, 'a'), ids.slice(-keptDeliveries).reverse())
    assert.equal(await recent.find('a', ids.at(-keptDeliveries - 1) ?? ''), undefined)
    assert.equal((await recent.find('a', ids.at(-keptDeliveries) ?? ''))?.id, ids.at(-keptDeliveries))
    assert.deepEqual(await idsOf(recent, 'b'), ['other'])
  })

  fact('many deliveries of several devices are stored by one call', async (recent) => {
    const many = Array.from({ length: 1_234 }, (_, n) => aDelivery(`device ${n % 3}`, String(n)))
    await recent.keep(many)
    assert.deepEqual((await idsOf(recent, 'device 0')).slice(0, 2), ['1233', '1230'])
    assert.equal((await recent.list('device 2')).length, keptDeliveries)
  })

  fact('a sweep deletes the history of devices without a later delivery', async (recent) => {
    await recent.keep([aDelivery('a', '1', { endedAtMs: 5 }), aDelivery('b', '2', { endedAtMs: 5 })])
    await recent.keep([aDelivery('b', '3', { endedAtMs: 9 })])
    await recent.keep([4, 9, 5].map((endedAtMs) => aDelivery('c', String(endedAtMs), { endedAtMs })))
    await recent.sweep(9)
    assert.deepEqual(await recent.list('a'), [])
    assert.deepEqual(await idsOf(recent, 'b'), ['3', '2'])
    assert.deepEqual(await idsOf(recent, 'c'), ['5', '9', '4'])
  })
}

function aDelivery(deviceUrn: string, id: string, overrides: Partial<RecentDelivery> = {}): RecentDelivery {
  return {
    deviceUrn,
    id,
    messageId: `msg_${id}`,
    state: 'delivered',
    appendedAtMs: 1,
    endedAtMs: 2,
    positions: 1,
    attemptCount: 1,
    attempts: [
      { startedAtMs: 1, durationMs: 1, url: 'https://a.example/', status: 204, outcome: 'accepted', reason: null },
    ],
    reason: null,
    message: '{}',
    isTruncated: false,
    ...overrides,
  }
}
