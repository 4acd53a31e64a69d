/**
 * A track as an event of Cursor on Target 2.0, as TAK servers and clients read it.
 * In: a track. Out: one XML document, which TAK's streaming protocol puts after the one before, without a separator.
 * Types and the value of `how` are those of MITRE's CoTtypes.xml.
 */
import type { AirTrack } from '@posrep/spec'
import { sigmasOfHorizontalBound, sigmasOfVerticalBound } from '../track/accuracy.ts'
import { findIcaoAddress, toPlainTrackName } from './identifiers.ts'
import { findMotion } from './motion.ts'
import { toPlainName } from './plain-text.ts'

/** What the format writes for an unknown height or error. */
const unknown = '9999999.0'
/** A client shows the track as out of date after this time without another event. */
const staleMs = 30_000

export interface CursorOnTargetOptions {
  /** Time of the picture, in ms since the epoch. The event is out of date 30 s later. */
  timeMs: number
  /**
   * What stands before the ID of the track in the event's UID, which must be unique among all that TAK shows. Default:
   * `posrep`.
   */
  namespace?: string
}

/**
 * @example
 * ```ts
 * import type { Tracker } from '@posrep/air'
 * import { toCursorOnTarget } from '@posrep/air/formats'
 *
 * export const toEvents = (tracker: Tracker) =>
 *   tracker.tracks().map((track) => toCursorOnTarget(track, { timeMs: tracker.timeMs(), namespace: 'tower' }))
 * ```
 */
export function toCursorOnTarget(track: AirTrack, { timeMs, namespace = 'posrep' }: CursorOnTargetOptions): string {
  const { position } = track
  const ellipsoidal = track.altitudes.find(({ datum }) => datum === 'wgs84')
  const motion = findMotion(track)
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    // Fused by a machine, from the positions of machines.
    element('event', {
      version: '2.0',
      // Stays the same while the track lives, also when the target gets another identifier.
      uid: `${namespace}.${track.id}`,
      type: toType(track),
      how: 'm-f',
      ...toTimes(track, timeMs),
    }),
    element('point', {
      lat: position.lat.toFixed(7),
      lon: position.lon.toFixed(7),
      hae: ellipsoidal?.height.toFixed(1) ?? unknown,
      ce: toSigma(position.accuracy, sigmasOfHorizontalBound),
      le: toSigma(ellipsoidal?.accuracy, sigmasOfVerticalBound),
    }),
    '</point><detail>',
    element('contact', { callsign: toPlainTrackName(track) }),
    '</contact>',
    motion
      ? `${element('track', {
          course: (motion.courseDegrees ?? 0).toFixed(1),
          speed: motion.speedMetresPerSecond.toFixed(2),
        })}</track>`
      : '',
    `<remarks>${toXmlText(toRemarks(track))}</remarks>`,
    '</detail></event>',
  ].join('')
}

/** The format has one standard deviation. */
function toSigma(bound: number | undefined, sigmas: number): string {
  return bound === undefined ? unknown : (bound / sigmas).toFixed(1)
}

function toTimes({ time }: AirTrack, timeMs: number): Record<string, string> {
  const iso = (ms: number) => new Date(ms).toISOString()
  return { time: iso(timeMs), start: iso(Date.parse(time)), stale: iso(timeMs + staleMs) }
}

/**
 * The picture does not know whose a target is: `u`, unknown. Then air, and what it is: civil fixed wing, or
 * "Air/Mil/Rotor/Drone,RPV,UAV": the types have no civil drone.
 */
function toType(track: AirTrack): string {
  if (track.type === 'aa:target:drone') return 'a-u-A-M-H-Q'
  return track.type === 'aa:target:aircraft' || findIcaoAddress(track) !== undefined ? 'a-u-A-C-F' : 'a-u-A'
}

function toRemarks({ identifiers, sensors, state }: AirTrack): string {
  // Some clients show remarks as HTML.
  const known = identifiers
    .map(({ id, type }) => (type === undefined ? id : `${type} ${id}`))
    .filter((text) => toPlainName(text) !== undefined)
  return ['Not for navigation', ...known, `${sensors.length} sensors`, state].join('; ')
}

/** A start tag. */
function element(name: string, attributes: Record<string, string>): string {
  const texts = Object.entries(attributes).map(([key, value]) => ` ${key}="${toXmlText(value)}"`)
  return `<${name}${texts.join('')}>`
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Identifiers are what sensors sent. XML 1.0 has no way to write most control characters, and half surrogates. */
function toXmlText(text: string): string {
  if (/^[\w .:;-]*$/.test(text)) return text
  const allowed = text.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
  return allowed.replace(/[&<>"]/g, (character) => entities[character] ?? '')
}
