/**
 * A track as an event of Cursor on Target 2.0, as TAK servers and clients read it.
 * In: a track and its account. Out: one XML document, which TAK's streaming protocol puts after the one before, without a separator.
 * Types and the value of `how` are those of MITRE's CoTtypes.xml.
 */
import type { AirTrack } from '@posrep/spec'
import { sigmasOfHorizontalBound, sigmasOfVerticalBound } from '../accuracy.ts'
import { findName } from '../target-name.ts'
import { findIcaoAddress } from './identifiers.ts'
import { findMotion } from './motion.ts'

/** What the format writes for an unknown height or error. */
const unknown = '9999999.0'
/** A client shows the track as out of date after this time without another event. */
const staleMs = 30_000

/** @param timeMs Time of the picture. */
export function toCotEvent(track: AirTrack, accountId: string, timeMs: number): string {
  const { position } = track
  const ellipsoidal = track.altitudes.find(({ datum }) => datum === 'wgs84')
  const motion = findMotion(track)
  return [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
    // Fused by a machine, from the positions of machines.
    element('event', {
      version: '2.0',
      uid: toUid(track, accountId),
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
    element('contact', { callsign: toName(track) }),
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

/** Stays the same while the track lives, also when the target gets another identifier. */
function toUid({ id }: AirTrack, accountId: string): string {
  return `posrep.${accountId}.${id}`
}

function toTimes({ time }: AirTrack, timeMs: number): Record<string, string> {
  const iso = (ms: number) => new Date(ms).toISOString()
  return { time: iso(timeMs), start: iso(Date.parse(time)), stale: iso(timeMs + staleMs) }
}

/**
 * The picture does not know whose a target is: `u`, unknown. Then air, and what it is: civil fixed wing, or "Air/Mil/Rotor/Drone,RPV,UAV":
 * the types have no civil drone.
 */
function toType(track: AirTrack): string {
  if (track.type === 'aa:target:drone') return 'a-u-A-M-H-Q'
  return track.type === 'aa:target:aircraft' || findIcaoAddress(track) !== undefined ? 'a-u-A-C-F' : 'a-u-A'
}

function toName(track: AirTrack): string {
  return findName(track.identifiers, ({ type }) => type) ?? track.id
}

function toRemarks({ identifiers, sensors, state }: AirTrack): string {
  const known = identifiers.map(({ id, type }) => (type === undefined ? id : `${type} ${id}`))
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
