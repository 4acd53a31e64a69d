/**
 * Runs a tracker over a situation, once a second, and judges its picture and alerts.
 * In: a situation, and who makes the picture: ours or a baseline. Out: the figures.
 */
import { createTracker } from '@posrep/air'
import type { AirAlert, AirTrack } from '@posrep/spec'
import { type AlertFigures, createAlertJudge } from './metrics/judge-alerts.ts'
import { createPictureJudge, type PictureFigures, type ShownTrack } from './metrics/judge-picture.ts'
import type { Situation } from './scenarios/scenario.ts'
import { type Score, score } from './score.ts'
import type { Sighting } from './sighting.ts'

export interface Figures {
  score: Score
  /** Of positions that are not reported as on the ground. */
  airborne: Score
  picture: PictureFigures
  alerts: AlertFigures
}

/** Whoever makes a picture. */
export interface PictureMaker {
  /** Returns the track that took the position. */
  add(sighting: Sighting): string | undefined
  /** Runs up to this time. */
  advance(nowMs: number): void
  /** Tracks that are shown as live. */
  tracks(): readonly ShownTrack[]
  takeAlerts(): readonly AirAlert[]
  /** The track that took over the sightings of this one. */
  successorOf(trackId: string): string | undefined
}

export function run({ targets, sightings }: Situation, maker: PictureMaker): Figures {
  const fromMs = sightings[0]?.receivedAtMs ?? 0
  const toMs = sightings.at(-1)?.receivedAtMs ?? 0
  const heard = toSpans(sightings)
  const picture = createPictureJudge(targets, (identity, nowMs) => {
    const span = heard.get(identity)
    return span !== undefined && nowMs >= span.fromMs && nowMs <= span.toMs
  })
  const alerts = createAlertJudge(targets)
  const seen = new Set<string>()
  const given: (string | undefined)[] = []
  let at = 0
  for (let nowMs = Math.ceil(fromMs / 1_000) * 1_000; nowMs <= toMs; nowMs += 1_000) {
    for (let next = sightings[at]; next && next.receivedAtMs <= nowMs; next = sightings[at]) {
      given.push(maker.add(next))
      at++
    }
    maker.advance(nowMs)
    picture.judge(nowMs, maker.tracks())
    for (const alert of maker.takeAlerts()) {
      if (seen.has(alert.id)) continue
      seen.add(alert.id)
      alerts.raised(alert, picture.identityOf)
    }
  }
  const plots = sightings
    .slice(0, at)
    .map((one, index) => ({ one, track: lastOf(maker, given[index]) }))
    .filter(({ one }) => one.identity !== undefined)
  return {
    score: scoreOf(plots),
    airborne: scoreOf(plots.filter(({ one }) => one.data.onGround !== true)),
    picture: picture.figures(),
    alerts: alerts.figures(fromMs, toMs),
  }
}

function scoreOf(plots: readonly { one: Sighting; track: string | undefined }[]): Score {
  return score(
    plots.map(({ one }) => one),
    plots.map(({ track }) => track),
  )
}

export function createOurs(): PictureMaker {
  const tracker = createTracker()
  const shown = new Map<string, AirTrack>()
  const mergedInto = new Map<string, string>()
  let alerts: AirAlert[] = []

  function noteMerges(id: string, ended: ReadonlySet<string>): void {
    for (const { reason, otherTrackId } of tracker.find(id)?.associations ?? []) {
      if (reason === 'merged' && otherTrackId !== undefined && ended.has(otherTrackId)) mergedInto.set(otherTrackId, id)
    }
  }

  return {
    add({ receiver, receivedAtMs, data, sensor }) {
      const report = { ...(sensor && { sensor }), positions: [data] }
      const step = tracker.addInSteps(report, receivedAtMs, { deviceId: receiver }).next()
      return typeof step.value === 'string' ? step.value : undefined
    },
    advance(nowMs) {
      tracker.advance(nowMs)
      const frame = tracker.takeChanges()
      for (const track of frame?.tracks ?? []) shown.set(track.id, track)
      const ended = new Set(frame?.ended)
      for (const id of ended) shown.delete(id)
      if (ended.size > 0) for (const { id } of frame?.tracks ?? []) noteMerges(id, ended)
      alerts = frame?.alerts ?? []
    },
    tracks: () => [...shown.values()].filter(({ state }) => state === 'live').map(toShown),
    takeAlerts: () => alerts,
    successorOf: (trackId) => mergedInto.get(trackId),
  }
}

function toShown({ id, time, position, groundVelocity, identifiers }: AirTrack): ShownTrack {
  return {
    id,
    timeMs: Date.parse(time),
    latDegrees: position.lat,
    lonDegrees: position.lon,
    eastMetresPerSecond: groundVelocity?.x ?? 0,
    northMetresPerSecond: groundVelocity?.y ?? 0,
    accuracyMetres: position.accuracy,
    address: identifiers.find(({ type }) => type === 'ICAO')?.id,
  }
}

function lastOf(maker: PictureMaker, id: string | undefined): string | undefined {
  let last = id
  for (let next = last && maker.successorOf(last); next !== undefined; next = maker.successorOf(next)) last = next
  return last
}

function toSpans(sightings: readonly Sighting[]): Map<string, { fromMs: number; toMs: number }> {
  const spans = new Map<string, { fromMs: number; toMs: number }>()
  for (const { identity, trueMs } of sightings) {
    if (identity === undefined) continue
    const span = spans.get(identity)
    if (!span) spans.set(identity, { fromMs: trueMs, toMs: trueMs })
    else span.toMs = Math.max(span.toMs, trueMs)
  }
  return spans
}
