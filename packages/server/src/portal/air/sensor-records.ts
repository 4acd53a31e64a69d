/**
 * What the page of the air picture shows of sensors besides the picture: their names, and the last report that was
 * refused.
 */
import type { AirSensor } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { SensorRecord } from '../../pages/map/feed/sensor-record.ts'
import type { Visit } from '../visit/visit.ts'

/** Sensors beyond these are shown by their URN. */
const maxRead = 50

/** By URN. A sensor that was removed meanwhile is left out. */
export async function readSensorRecords(
  { call }: Pick<Visit, 'call'>,
  sensors: readonly AirSensor[],
): Promise<Record<string, SensorRecord>> {
  const read = await Promise.all(
    sensors.slice(0, maxRead).map(async ({ deviceId }): Promise<[string, SensorRecord][]> => {
      const path = { deviceUrn: deviceId }
      try {
        const [device, history] = await Promise.all([call('getDevice', { path }), call('getDeviceHistory', { path })])
        return [[deviceId, { name: device.deviceName, refused: history.lastRefusedReport }]]
      } catch (error) {
        if (error instanceof ApiError && error.code.endsWith('not_found')) return []
        throw error
      }
    }),
  )
  return Object.fromEntries(read.flat())
}
