import { expect, test } from 'vitest'
import { createSqliteRecentDeliveries } from '../../src/adapters/sqlite/recent-deliveries.ts'
import type { RecentDelivery } from '../../src/ports/recent-deliveries.ts'
import { aFile, anOpenDatabase } from './a-database.ts'

const device = 'urn:aa:device:fleet:roof1'

function aDelivery(id: string, message: string): RecentDelivery {
  return {
    ...{ deviceUrn: device, id, messageId: `msg_${id}`, state: 'delivered', owedSinceMs: 1_000, endedAtMs: 2_000 },
    ...{ positions: 1, attemptCount: 1, attempts: [], reason: null, message, isTruncated: false },
  }
}

test('a message of several lines is listed as it was', async () => {
  const { engine } = await anOpenDatabase({ file: await aFile() })
  const recent = createSqliteRecentDeliveries({ engine })
  const delivery = aDelivery('dl_1', '{\n  "ü": "\\"\\n"\n}\n')
  await recent.keep([delivery], { perDevice: 50 })

  expect(await recent.list(device)).toEqual([delivery])
  expect(await recent.find(device, 'dl_1')).toEqual(delivery)
})

test('what an earlier version kept, with the message inside, is listed, too', async () => {
  const { engine } = await anOpenDatabase({ file: await aFile() })
  const earlier = aDelivery('dl_1', '{"name":"position_report"}\n')
  await engine.call('deliveries.keep', [device], ['dl_1'], [2_000], [JSON.stringify(earlier)], 50)
  const recent = createSqliteRecentDeliveries({ engine })
  const later = aDelivery('dl_2', '{}')
  await recent.keep([later], { perDevice: 50 })

  expect(await recent.list(device)).toEqual([later, earlier])
})
