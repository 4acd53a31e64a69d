/** The reasons of associations as sentences. */
import type { StandardIdentifier } from '../../../standard/standard-position.ts'
import type { Distance } from './gate.ts'

export type MergeReason = { identifier: StandardIdentifier } | { comparisons: number } | { silentMs: number }

export function identifierSentence(identifier: StandardIdentifier, trackId: string): string {
  return `The position has ${toWords(identifier)}, as track ${trackId} has.`
}

export function sourceSentence(sourceId: string, trackId: string): string {
  return `The sensor has reported its target "${sourceId}" in track ${trackId} before.`
}

export function learntSentence(identifier: StandardIdentifier, trackId: string): string {
  return `A target of track ${trackId} now has ${toWords(identifier)}.`
}

export function gateSentence(distance: Distance, trackId: string): string {
  return `The position is ${toMetres(distance)} from the prediction of track ${trackId}, which is within the accuracies.`
}

export function startedSentence(nearest?: { trackId: string; distance: Distance; why: string }): string {
  if (!nearest) return 'No track is near, so a new track begins.'
  const { trackId, distance, why } = nearest
  return `A new track begins: track ${trackId}, ${toMetres(distance)} away, ${why}.`
}

export function jumpSentence(
  identifier: StandardIdentifier | undefined,
  sourceId: string | undefined,
  distance: Distance,
  trackId: string,
): string {
  const what = identifier ? toWords(identifier) : `the sensor's target "${sourceId ?? ''}"`
  return `The position has ${what}, as track ${trackId} has, but is ${toMetres(distance)} from its prediction, which the target cannot reach: a new track begins.`
}

export function divergedSentence(distance: Distance, trackId: string): string {
  return `The sensor's positions stay outside of the accuracies of track ${trackId}, now ${toMetres(distance)} from its prediction: they become a track of their own.`
}

export function contradictedSentence(identifier: StandardIdentifier, trackId: string): string {
  return `The sensor's target now has ${toWords(identifier)}, which contradicts track ${trackId}: a new track begins.`
}

export function mergedSentence(otherTrackId: string, why: MergeReason): string {
  if ('identifier' in why) return `Track ${otherTrackId} has ${toWords(why.identifier)} too, so both are one target.`
  if ('silentMs' in why) {
    const seconds = Math.round(why.silentMs / 1_000)
    return `Track ${otherTrackId} began here when this target had been silent for ${seconds} s, so both are one target.`
  }
  return `Track ${otherTrackId} had the same position and velocity, within the accuracies, in ${why.comparisons} comparisons, so both are one target.`
}

function toWords({ kind, id, type }: StandardIdentifier): string {
  const names = {
    ICAO: 'the ICAO address',
    CallSign: 'the call sign',
    Registration: 'the registration',
    SerialNumber: 'the serial number',
    IMEI: 'the IMEI',
    other: type === undefined ? 'the identifier' : `the identifier (${type})`,
  }
  return `${names[kind]} ${id}`
}

function toMetres({ horizontalMetres, verticalMetres }: Distance): string {
  const horizontal = `${Math.round(horizontalMetres)} m`
  return verticalMetres === undefined ? horizontal : `${horizontal} and ${Math.round(verticalMetres)} m in height`
}
