/**
 * Takes a sensor out of the picture.
 * In: a sensor that the account no longer has. Out: the tracks of other sensors stay without it; those that it alone
 * reported end.
 */
import { takeReference } from './association/contribute.ts'
import { endTarget, type Picture } from './picture.ts'
import { errorsBetween } from './sensors/errors-at.ts'

export function forgetSensor(picture: Picture, deviceUrn: string): void {
  const { index, changes } = picture
  const sensor = index.sensors.get(deviceUrn)
  if (!sensor) return
  for (const target of [...index.targets.values()]) {
    const { contributions } = target.track
    const left = contributions.filter((one) => one.deviceUrn !== deviceUrn)
    const [latest] = left
    if (!latest) {
      endTarget(picture, target)
      continue
    }
    if (target.deviceUrn === deviceUrn) {
      const next = index.sensor(latest.deviceUrn)
      takeReference(target, next, errorsBetween(next, sensor, target.motion))
    }
    if (left.length === contributions.length) continue
    target.track.contributions = left
    changes.changed.add(target)
  }
  index.sensors.delete(deviceUrn)
}
