/** When areas are active. In: areas, a time. Out: whether each is active then. */
import type { AirArea } from '@posrep/spec'

export function isActive({ properties: { active } }: AirArea, atMs: number): boolean {
  return active?.some(({ from, to }) => Date.parse(from) <= atMs && atMs < Date.parse(to)) ?? true
}

/** The IDs of those that are active, as one text to compare. */
export function toActiveIds(areas: readonly AirArea[], atMs: number): string {
  return JSON.stringify(areas.filter((area) => isActive(area, atMs)).map(({ id }) => id))
}
