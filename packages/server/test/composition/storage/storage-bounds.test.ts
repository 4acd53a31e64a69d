import { expect, test } from 'vitest'
import { toBytesOfClient, toDeliveryBound, toRecentBound } from '../../../src/composition/storage/storage-bounds.ts'
import { toSensorClient } from '../../../src/devices/sensor-client.ts'
import { resolveSettings } from '../../../src/settings/resolve-settings.ts'

const flags = { 'client-mib': '100', 'recent-mib': '1', 'relay-backlog-mib': '1' }
const ofOperator = 'urn:aa:device:fleet:roof1'
const { urnPart } = toSensorClient({ id: 'me', name: 'me@example.com' })
const ofNewcomer = `urn:aa:device:${urnPart}:roof1`

test('the sensors of an account without a client application have a smaller allowance in every store', () => {
  const settings = resolveSettings({ flags, environment: {} })
  const bounds = [ofOperator, ofNewcomer].map((urn) => [
    toBytesOfClient(settings)(urn),
    toRecentBound(settings)(urn).maxBytesOfClient,
    toDeliveryBound(settings)(urn).bytesPerClient,
  ])

  expect(bounds.map((ofUrn) => ofUrn.map((bytes = 0) => bytes / 1024 / 1024))).toEqual([
    [100, 100, 100],
    [64, 64, 64],
  ])
})

test('it is never larger than that of a client application', () => {
  const settings = resolveSettings({ flags: { ...flags, 'client-mib': '1' }, environment: {} })

  expect(toBytesOfClient(settings)(ofNewcomer)).toBe(1024 * 1024)
})
