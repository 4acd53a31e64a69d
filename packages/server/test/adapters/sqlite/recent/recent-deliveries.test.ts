import { expect, test } from 'vitest'
import { createSqliteRecentDeliveries } from '../../../../src/adapters/sqlite/recent/recent-deliveries.ts'
import type { RecentDelivery } from '../../../../src/ports/storage/recent-deliveries.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

const device = 'urn:aa:device:fleet:roof1'

function aDelivery(id: string, message: string): RecentDelivery {
  return {
    ...{ deviceUrn: device, id, messageId: `msg_${id}`, state: 'delivered', appendedAtMs: 1_000, endedAtMs: 2_000 },
    ...{ positions: 1, attemptCount: 1, attempts: [], reason: null, message, isTruncated: false },
  }
}

test('a message of several lines is listed unchanged', async () => {
  const { engine } = await anOpenDatabase({ file: await aFile() })
  const recent = createSqliteRecentDeliveries({ engine })
  const delivery = aDelivery('dl_1', '{\n  "ü": "\\"\\n"\n}\n')
  await recent.keep([delivery, aDelivery('dl_2', '\n')])

  expect(await recent.list(device)).toEqual([aDelivery('dl_2', '\n'), delivery])
  expect(await recent.find(device, 'dl_1')).toEqual(delivery)
})

test('a delivery that is stored again is listed once, and deleted older deliveries do not reappear', async () => {
  const { engine } = await anOpenDatabase({ file: await aFile() })
  const recent = createSqliteRecentDeliveries({ engine })
  for (let n = 0; n < 60; n++) await recent.keep([aDelivery(`dl_${n}`, '{}'), aDelivery('dl_again', `{"n":${n}}`)])

  const kept = await recent.list(device)
  const others = Array.from({ length: 25 }, (_, n) => aDelivery(`dl_${59 - n}`, '{}'))
  expect(kept).toEqual([aDelivery('dl_again', '{"n":59}'), ...others])
})
