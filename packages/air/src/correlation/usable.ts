/**
 * What of a reception the tracker can keep. Texts up to a megabyte, with any characters, are valid in a report.
 * In: a reception. Out: the same one, or one with usable altitudes, identifiers and source id only.
 */
import type { StandardIdentifier, StandardPosition } from '../standard/standard-position.ts'
import type { Reception } from '../track/track.ts'
import { usableAltitudes } from './filter/usable-altitudes.ts'
import { boundParameters } from './parameters.ts'

export function toUsable(reception: Reception): Reception {
  const { position } = reception
  const { sourceId, identifiers } = position.target
  const altitudes = usableAltitudes(position.altitudes)
  const areIdsUsable = identifiers.every(isUsable) && (sourceId === undefined || isUsableText(sourceId))
  if (altitudes === position.altitudes && areIdsUsable) return reception
  return { ...reception, position: { ...position, altitudes, target: toUsableTarget(position.target) } }
}

function toUsableTarget({ sourceId, identifiers, ...target }: StandardPosition['target']): StandardPosition['target'] {
  const usableId = toUsableText(sourceId)
  return {
    ...target,
    ...(usableId !== undefined && { sourceId: usableId }),
    identifiers: identifiers.flatMap((identifier) => toUsableIdentifier(identifier) ?? []),
  }
}

function isUsable({ id, written = id, type = id }: StandardIdentifier): boolean {
  return [id, written, type].every(isUsableText)
}

function toUsableIdentifier(identifier: StandardIdentifier): StandardIdentifier | undefined {
  const { kind } = identifier
  const id = toUsableText(identifier.id)
  const type = toUsableText(identifier.type)
  const written = toUsableText(identifier.written)
  // The type tells identifiers of other kinds apart.
  if (id === undefined || (kind === 'other' && type === undefined && identifier.type !== undefined)) return undefined
  return { kind, id, ...(written !== undefined && { written }), ...(type !== undefined && { type }) }
}

function isUsableText(text: string): boolean {
  return text.length <= boundParameters.idCharacters && text !== '' && !/[^ -~]/.test(text)
}

/** Without control characters and halves of characters. Undefined if it is too long, or nothing is left. */
function toUsableText(text: string | undefined): string | undefined {
  if (text === undefined || text.length > 2 * boundParameters.idCharacters) return undefined
  const usable = text.replace(/[\p{Cc}\p{Cs}]/gu, '').trim()
  return usable !== '' && usable.length <= boundParameters.idCharacters ? usable : undefined
}
