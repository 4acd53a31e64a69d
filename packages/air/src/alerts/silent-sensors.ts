/**
 * Finds sensors that fell silent.
 * In: the sensors, with what the composition decides about their silence. Out: one condition for each silent one.
 */
import { nameSensor } from '../track/sensor-name.ts'
import type { Condition } from './alert-book.ts'
import { toTimestamp } from './timestamp.ts'

export interface SensorActivity {
  deviceUrn: string
  /** When its last report was received. */
  lastSeenMs: number
  isSilent: boolean
  /** How much its clock is ahead, if that is known. */
  clockOffsetSeconds?: number
}

export function* findSilentSensors(sensors: Iterable<SensorActivity>): Generator<Condition> {
  for (const { deviceUrn, lastSeenMs, isSilent } of sensors) {
    if (!isSilent) continue
    const lastSeen = toTimestamp(lastSeenMs)
    yield {
      key: `silentSensor ${deviceUrn}`,
      kind: 'silentSensor',
      isUrgent: false,
      describe: () => ({
        text: `The sensor ${nameSensor(deviceUrn)} sends no reports`,
        endText: `The sensor ${nameSensor(deviceUrn)} is no longer silent`,
        silentSensor: { deviceId: deviceUrn, lastSeen },
      }),
      hasChanged: ({ silentSensor }) => silentSensor?.lastSeen !== lastSeen,
    }
  }
}
