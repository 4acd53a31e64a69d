/**
 * Finds sensors whose clock is wrong. In: the sensors, with what is known of their clocks. Out: one condition for each
 * wrong one.
 */
import { nameSensor } from '../track/sensor-name.ts'
import type { Condition } from './alert-book.ts'
import type { SensorActivity } from './silent-sensors.ts'

/** The picture corrects less without anybody noticing. */
const wrongSeconds = 2
/** An active alert ends below. */
const rightSeconds = 1.5
const meaningfulSeconds = 1

export function* findWrongClocks(
  sensors: Iterable<SensorActivity>,
  isActive: (key: string) => boolean,
): Generator<Condition> {
  for (const { deviceUrn, isSilent, clockOffsetSeconds = 0 } of sensors) {
    const key = `sensorClock ${deviceUrn}`
    if (isSilent || Math.abs(clockOffsetSeconds) < (isActive(key) ? rightSeconds : wrongSeconds)) continue
    const name = nameSensor(deviceUrn)
    const offsetSeconds = Math.round(clockOffsetSeconds * 10) / 10
    const by = `about ${Math.abs(Math.round(clockOffsetSeconds))} s ${clockOffsetSeconds > 0 ? 'ahead' : 'behind'}`
    yield {
      key,
      kind: 'sensorClock',
      isUrgent: false,
      describe: () => ({
        text: `The clock of the sensor ${name} is ${by}`,
        endText: `The clock of the sensor ${name} is right again`,
        sensorClock: { deviceId: deviceUrn, offsetSeconds },
      }),
      hasChanged: ({ sensorClock }) => Math.abs((sensorClock?.offsetSeconds ?? 0) - offsetSeconds) >= meaningfulSeconds,
    }
  }
}
