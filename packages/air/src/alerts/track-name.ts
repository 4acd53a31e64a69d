/**
 * Names a track in sentences: by its call sign, else by another identifier, else by the id of the track.
 * In: a track. Out: `FIN5LA`, `drone 1581F45`, `track t1f`.
 */
import { findName, toShownId } from '../track/target-name.ts'
import type { Track } from '../track/track.ts'

/** Longer identifiers are cut in sentences. */
const maxNameLength = 24

export function nameTrack({ id, type, identifiers }: Pick<Track, 'id' | 'type' | 'identifiers'>): string {
  const isDrone = type === 'aa:target:drone'
  const name = findName(
    identifiers.map((one) => ({ id: toShownId(one), kind: one.kind })),
    ({ kind }) => kind,
  )
  if (name === undefined) return isDrone ? `drone ${id}` : `track ${id}`
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name
  return isDrone ? `drone ${short}` : short
}
