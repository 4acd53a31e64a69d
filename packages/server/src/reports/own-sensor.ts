/**
 * Whether a report is of the sensor for which its token was issued (specification, "Surveillance ingest": `sensor.id`).
 * In: the device's URN, and the ID that the report names. Out: how the two fit.
 */
import { localIdOf } from '../devices/local-id.ts'

/**
 * `own-without-imei`: firmware that pairs as `imei:<IMEI>` and reports as `<IMEI>`. Under the compat profile it is the
 * same sensor.
 */
export type SensorMatch = 'own' | 'own-without-imei' | 'other'

/** @param sensorId The local ID, as specified, or the URN. */
export function matchSensor(deviceUrn: string, sensorId: string | undefined): SensorMatch {
  const localId = localIdOf(deviceUrn)
  if (sensorId === undefined || sensorId === localId || sensorId === deviceUrn) return 'own'
  return localId === `imei:${sensorId}` ? 'own-without-imei' : 'other'
}
