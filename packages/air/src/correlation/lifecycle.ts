/**
 * Makes tracks live, lets them coast, and ends them, by the time of entries and ticks.
 * In: the picture at a time. Out: the picture without tracks that no sensor has reported for long.
 */

import { fit } from './budget.ts'
import { frameAt, move } from './filter/local-frame.ts'
import { lifeParameters } from './parameters.ts'
import { endTarget, type Picture } from './picture.ts'
import { forgetPast } from './targets/past.ts'
import type { Target } from './targets/target.ts'

/** After each position. */
export function heard({ tentative, coasting, changes }: Picture, target: Target): void {
  const { track } = target
  if (track.state === 'tentative' && target.hits >= lifeParameters.hitsUntilLive) {
    track.state = 'live'
    tentative.delete(target)
    changes.changed.add(target)
  }
  if (track.state === 'coasting') {
    track.state = 'live'
    coasting.delete(target)
    changes.changed.add(target)
  }
}

export function age(picture: Picture): void {
  const { index, nowMs, coasting, past, changes } = picture
  forgetPast(past, nowMs)
  const turn = Math.floor(nowMs / 1_000) % placingTurns
  for (const target of index.targets.values()) {
    const silentMs = nowMs - target.heardAtMs
    if (silentMs >= endMs(picture, target)) {
      endTarget(picture, target)
      continue
    }
    if (target.track.state === 'live' && silentMs >= coastingMs(target)) {
      target.track.state = 'coasting'
      coasting.add(target)
      changes.changed.add(target)
    }
    if (target.number % placingTurns !== turn) continue
    placeAhead(picture, target)
    fit(index, target)
  }
}

function coastingMs({ track, intervalMs }: Target): number {
  const { coastingMs: airborneMs, coastingOnGroundMs, coastingIntervals, endMs: mostMs } = lifeParameters
  return Math.max(track.onGround ? coastingOnGroundMs : airborneMs, Math.min(mostMs, coastingIntervals * intervalMs))
}

function endMs({ index }: Picture, { track, intervalMs, deviceUrn }: Target): number {
  const { tentativeMs, tentativeScans, endMs: airborneMs, endOnGroundMs, endIntervals, maxEndMs } = lifeParameters
  if (track.state === 'tentative') {
    const { scanMs } = index.sensor(deviceUrn)
    const isNamed = track.identifiers.length > 0 || track.contributions.some(({ sourceId }) => sourceId !== undefined)
    return isNamed || scanMs === 0 ? tentativeMs : tentativeScans * scanMs
  }
  return Math.max(track.onGround ? endOnGroundMs : airborneMs, Math.min(maxEndMs, endIntervals * intervalMs))
}

/** A place is at most this many ticks old; the gate looks further than a target flies in this time. */
const placingTurns = 4

/** The gate looks for the target at its predicted place. */
function placeAhead({ index, nowMs }: Picture, target: Target): void {
  const { x, y, z, timeMs, eastMetresPerSecond, northMetresPerSecond } = target.motion
  const seconds = Math.min(maxAheadSeconds, Math.max(0, (nowMs - timeMs) / 1_000))
  const place = { x, y, z }
  move(place, frameAt(place), eastMetresPerSecond * seconds, northMetresPerSecond * seconds)
  target.place = place
  index.moved(target)
}

const maxAheadSeconds = 30
