/**
 * The order of the targets in the table. In: the query of the page. Out: sorted tracks. What is not known comes last.
 */

import { pickAltitude, toDirection, toKind, toName } from '@posrep/air/words'
import type { AirTrack } from '@posrep/spec'

const sortKeys = ['name', 'kind', 'state', 'altitude', 'climb', 'speed', 'track', 'seen'] as const
export type SortKey = (typeof sortKeys)[number]

export interface Order {
  key: SortKey
  isDescending: boolean
}

export function toOrder(query: URLSearchParams): Order {
  const key = sortKeys.find((one) => one === query.get('sort')) ?? 'name'
  return { key, isDescending: query.get('order') === 'descending' }
}

const natural = new Intl.Collator('en', { numeric: true })

export function sortTracks(tracks: readonly AirTrack[], { key, isDescending }: Order): AirTrack[] {
  const sign = isDescending ? -1 : 1
  return tracks
    .map((track) => ({ track, value: toValue(track, key) }))
    .sort((a, b) => {
      if (a.value === undefined || b.value === undefined)
        return Number(a.value === undefined) - Number(b.value === undefined)
      const order = typeof a.value === 'string' ? natural.compare(a.value, String(b.value)) : a.value - Number(b.value)
      return sign * order || natural.compare(a.track.id, b.track.id)
    })
    .map(({ track }) => track)
}

function toValue(track: AirTrack, key: SortKey): string | number | undefined {
  const { x, y, z } = track.groundVelocity ?? {}
  switch (key) {
    case 'name':
      return toName(track)
    case 'kind':
      return toKind(track.type)
    case 'state':
      return track.state
    case 'altitude':
      return pickAltitude(track.altitudes)?.height
    case 'climb':
      return z
    case 'speed':
      return x === undefined || y === undefined ? undefined : Math.hypot(x, y)
    case 'track':
      return x === undefined || y === undefined ? undefined : toDirection(x, y)
    case 'seen':
      return Date.parse(track.receivedAt)
  }
}
