/**
 * How well a picture shows the true targets.
 * In: about once a second, the tracks and the true states at that time. Out: the attributes of SIAP (completeness,
 * ambiguity, spuriousness, accuracy, changes of the track number per hour of flight), GOSPA in its three parts, and
 * containment. Sources: Votruba et al., "Single Integrated Air Picture (SIAP) Metrics", SIAP SE TF 2001-001;
 * Rahmathullah, García-Fernández, Svensson, "Generalized Optimal Sub-Pattern Assignment Metric", FUSION 2017 (p = 2,
 * alpha = 2).
 */
import { assign } from './assignment.ts'
import { offsetMetres, type TrueTarget } from './truth.ts'

/** A track as a picture shows it. */
export interface ShownTrack {
  id: string
  timeMs: number
  latDegrees: number
  lonDegrees: number
  eastMetresPerSecond: number
  northMetresPerSecond: number
  /** 95 % bound at `timeMs`; undefined if the picture states none. */
  accuracyMetres: number | undefined
  address: string | undefined
}

export interface PictureFigures {
  completeness: number
  ambiguity: number
  spuriousness: number
  /** Root mean square of the position predicted to the time of the picture. */
  accuracyMetres: number
  /** Root mean square of the velocity at the time of the estimate. */
  velocityMetresPerSecond: number
  trackChangesPerHour: number
  gospaMetres: { localisation: number; missed: number; false: number }
  containment: number
  /** Of the times at which a track had an address: those at which it was that of another target. */
  wrongAddressShare: number
  /** Of all targets that were heard. */
  hours: number
}

export interface PictureJudge {
  judge(nowMs: number, tracks: readonly ShownTrack[]): void
  /** The true target that a track showed at the latest time. */
  identityOf(trackId: string): string | undefined
  figures(): PictureFigures
}

/** Farther from each target, a track is spurious. Also the cut-off of GOSPA. */
const cutOffMetres = 1_000

/** @param isHeard whether the sensors see the target at this time. */
export function createPictureJudge(
  targets: readonly TrueTarget[],
  isHeard: (identity: string, nowMs: number) => boolean,
): PictureJudge {
  const sums = { targets: 0, tracked: 0, tracks: 0, assigned: 0, squared: 0, moments: 0, changes: 0 }
  const velocity = { squared: 0, all: 0 }
  const gospa = { localisation: 0, missed: 0, false: 0 }
  const contained = { inside: 0, all: 0 }
  const addressed = { wrong: 0, all: 0 }
  const shownBy = new Map<string, string>()
  let identities = new Map<string, string>()

  return {
    judge(nowMs, tracks) {
      const present = targets.flatMap((target) => {
        const state = isHeard(target.identity, nowMs) ? target.at(nowMs) : undefined
        return state ? [{ target, state }] : []
      })
      const distances = tracks.map((track) => {
        const seconds = (nowMs - track.timeMs) / 1_000
        return present.map(({ state }) => {
          const [east, north] = offsetMetres(state, track)
          const { eastMetresPerSecond, northMetresPerSecond } = track
          return Math.hypot(east + eastMetresPerSecond * seconds, north + northMetresPerSecond * seconds)
        })
      })
      const partners = assign(
        distances.map((row) => row.map((metres) => metres ** 2)),
        cutOffMetres ** 2,
      )
      identities = new Map()
      sums.moments++
      sums.targets += present.length
      sums.tracks += tracks.length
      for (const [at, track] of tracks.entries()) {
        const partner = partners[at]
        const row = distances[at] ?? []
        const nearest = partner ?? (row.length > 0 ? row.indexOf(Math.min(...row)) : -1)
        const metres = row[nearest] ?? Number.POSITIVE_INFINITY
        const found = present[nearest]
        if (partner === undefined) gospa.false += cutOffMetres ** 2 / 2
        if (!found || metres >= cutOffMetres) continue
        sums.assigned++
        const { identity } = found.target
        identities.set(track.id, identity)
        if (partner === undefined) continue
        sums.tracked++
        sums.squared += metres ** 2
        gospa.localisation += metres ** 2
        const before = shownBy.get(identity)
        if (before !== undefined && before !== track.id) sums.changes++
        shownBy.set(identity, track.id)
        if (track.address !== undefined) {
          addressed.all++
          if (track.address !== identity) addressed.wrong++
        }
        const then = found.target.at(track.timeMs)
        if (then) {
          velocity.all++
          velocity.squared +=
            (track.eastMetresPerSecond - then.eastMetresPerSecond) ** 2 +
            (track.northMetresPerSecond - then.northMetresPerSecond) ** 2
        }
        if (then && track.accuracyMetres !== undefined) {
          contained.all++
          if (Math.hypot(...offsetMetres(then, track)) <= track.accuracyMetres) contained.inside++
        }
      }
      gospa.missed += (present.length - partners.filter((one) => one !== undefined).length) * (cutOffMetres ** 2 / 2)
    },
    identityOf: (trackId) => identities.get(trackId),
    figures() {
      const root = (sum: number) => Math.sqrt(sum / Math.max(1, sums.moments))
      const hours = sums.targets / 3_600
      return {
        completeness: sums.tracked / sums.targets,
        ambiguity: sums.assigned / sums.tracked,
        spuriousness: (sums.tracks - sums.assigned) / Math.max(1, sums.tracks),
        accuracyMetres: Math.sqrt(sums.squared / sums.tracked),
        velocityMetresPerSecond: Math.sqrt(velocity.squared / Math.max(1, velocity.all)),
        trackChangesPerHour: sums.changes / hours,
        gospaMetres: { localisation: root(gospa.localisation), missed: root(gospa.missed), false: root(gospa.false) },
        containment: contained.inside / contained.all,
        wrongAddressShare: addressed.wrong / Math.max(1, addressed.all),
        hours,
      }
    },
  }
}
