/** Makes associations, which say their reason in a sentence, of decisions. */
import type { StandardIdentifier } from '../../standard/standard-position.ts'
import type { Association } from '../../track/track.ts'
import type { Decided } from './decided.ts'

/** `trackId`: the track that has the decision now; its sentence names the one for which it was made. */
export function toAssociation(decided: Decided, trackId: string): Association {
  const { because, comparisons, silentMs, ...association } = decided
  return { ...association, trackId, text: toSentence(decided) }
}

function toSentence(decided: Decided): string {
  const { trackId, because, sourceId = '', otherTrackId = '' } = decided
  const identifier = decided.identifier && toWords(decided.identifier)
  switch (because) {
    case 'identifier':
      return `The position has ${identifier}, as track ${trackId} has.`
    case 'source':
      return `The sensor has reported its target "${sourceId}" in track ${trackId} before.`
    case 'gate':
      return `The position is ${toMetres(decided)} from the prediction of track ${trackId}, which is within the accuracies.`
    case 'learnt':
      return `A target of track ${trackId} now has ${identifier}.`
    case 'exchanged':
      return `The sensor's target "${sourceId}" was in track ${otherTrackId}. It fits track ${trackId} better than the sensor's other target, so the two have changed places.`
    case 'nothingNear':
      return 'No track is near, so a new track begins.'
    case 'misfits':
    case 'hasOtherIdentifier':
    case 'isOtherOfSensor':
    case 'isNotTheOnlyOne':
      return `A new track begins: track ${otherTrackId}, ${toMetres(decided)} away, ${misfits[because]}.`
    case 'jumped': {
      const what = identifier ?? `the sensor's target "${sourceId}"`
      return `The position has ${what}, as track ${otherTrackId} has, but is ${toMetres(decided)} from its prediction, which the target cannot reach: a new track begins.`
    }
    case 'diverged':
      return `The sensor's positions stay outside of the accuracies of track ${otherTrackId}, now ${toMetres(decided)} from its prediction: they become a track of their own.`
    case 'contradicted':
      return `The sensor's target now has ${identifier}, which contradicts track ${otherTrackId}: a new track begins.`
    case 'mergedByIdentifier':
      return `Track ${otherTrackId} has ${identifier} too, so both are one target.`
    case 'mergedByPosition':
      return `Track ${otherTrackId} had the same position and velocity, within the accuracies, in ${decided.comparisons} comparisons, so both are one target.`
    case 'mergedAfterSilence': {
      const seconds = Math.round((decided.silentMs ?? 0) / 1_000)
      return `Track ${otherTrackId} began here when this target had been silent for ${seconds} s, so both are one target.`
    }
  }
}

const misfits = {
  misfits: 'does not fit',
  hasOtherIdentifier: 'has another identifier',
  isOtherOfSensor: 'is another target of the same sensor',
  isNotTheOnlyOne: 'is not the only one that fits',
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

function toMetres({ horizontalMetres = 0, verticalMetres }: Decided): string {
  const horizontal = `${Math.round(horizontalMetres)} m`
  return verticalMetres === undefined ? horizontal : `${horizontal} and ${Math.round(verticalMetres)} m in height`
}
