/**
 * Keeps the tracks of an account within a number of bytes.
 * In: a track that grew, or all of them in turns. Out: it has lost its oldest decisions, then its oldest sources, until
 * it fits. Bytes are those of the JSON of a snapshot; in memory a track takes about twice as many. Histories have their
 * own bound, in points.
 */
import type { StandardIdentifier } from '../standard/standard-position.ts'
import type { Decided } from './association/decided.ts'
import { boundParameters } from './parameters.ts'
import { limitHistory } from './targets/history.ts'
import type { Source, Target } from './targets/target.ts'
import type { TargetIndex } from './targets/target-index.ts'

/** Without their texts: the numbers at their longest, and the names of the members. */
const fixedBytes = { track: 2_800, identifier: 40, source: 480, rival: 320, decision: 320 }
const { trackBytes, leastTrackBytes, totalBytes, leastSources } = boundParameters
const { historyPoints, totalHistoryPoints, minHistoryPoints } = boundParameters

export function fit(index: TargetIndex, target: Target): void {
  limitHistory(target.history, historyLimit(index))
  const most = bytesPerTrack(index)
  const { associations, track } = target
  let bytes = bytesOf(target)
  while (bytes > most && associations.length > 1) bytes -= bytesOfDecision(associations.pop())
  while (bytes > most && track.contributions.length > leastSources)
    bytes -= bytesOfSource(dropOldestSource(index, target))
}

/** How many points each track may have, so that all together stay within the bound. */
export function historyLimit({ targets }: TargetIndex): number {
  const share = Math.floor(totalHistoryPoints / Math.max(1, targets.size))
  return Math.min(historyPoints, Math.max(minHistoryPoints, share))
}

export function dropOldestSource(index: TargetIndex, target: Target): Source | undefined {
  const oldest = target.track.contributions.pop()
  if (oldest?.sourceId !== undefined) index.removeSource(target, oldest.deviceUrn, oldest.sourceId)
  return oldest
}

export function hasRoomFor(identifiers: readonly StandardIdentifier[], identifier: StandardIdentifier): boolean {
  if (identifiers.length >= boundParameters.identifiers) return false
  return bytesOfIdentifiers([...identifiers, identifier]) <= boundParameters.identifierBytes
}

export function bytesOfIdentifiers(identifiers: readonly StandardIdentifier[]): number {
  return sumOf(identifiers, bytesOfIdentifier)
}

function bytesOfIdentifier({ id, written, type }: StandardIdentifier): number {
  return fixedBytes.identifier + bytesOfText(id) + bytesOfText(written) + bytesOfText(type)
}

function bytesPerTrack({ targets }: TargetIndex): number {
  return Math.min(trackBytes, Math.max(leastTrackBytes, totalBytes / targets.size))
}

function bytesOf({ track, associations }: Target): number {
  const { identifiers, contributions } = track
  const lists = sumOf(contributions, bytesOfSource) + sumOf(associations, bytesOfDecision)
  return fixedBytes.track + bytesOfIdentifiers(identifiers) + lists
}

/** The index of the sensor's sources has the source id once more. */
function bytesOfSource(source: Source | undefined): number {
  if (!source) return 0
  const { deviceUrn, sourceId, rival } = source
  const rivalBytes = rival ? fixedBytes.rival + bytesOfText(rival.sourceId) : 0
  return fixedBytes.source + deviceUrn.length + 2 * bytesOfText(sourceId) + rivalBytes
}

function bytesOfDecision(decided: Decided | undefined): number {
  if (!decided) return 0
  const { deviceUrn, sourceId, identifier } = decided
  const text = bytesOfText(sourceId) + (identifier ? bytesOfIdentifier(identifier) : 0)
  return fixedBytes.decision + deviceUrn.length + text
}

/** As JSON in UTF-8, at most: 1 byte for a character of ASCII, 2 for one that is escaped, 3 for all others. */
function bytesOfText(text: string | undefined): number {
  if (text === undefined) return 0
  return isPlain(text) ? text.length : 3 * text.length
}

function isPlain(text: string): boolean {
  return /^[ !#-[\]-~]*$/.test(text)
}

function sumOf<T>(values: readonly T[], bytesOfValue: (value: T) => number): number {
  let sum = 0
  for (const value of values) sum += bytesOfValue(value)
  return sum
}
