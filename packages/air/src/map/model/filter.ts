/** Which targets the page shows. In: what the user chose. Out: whether a target passes. */
import type { Target } from './target.ts'
import type { Kind } from './words.ts'

export interface Filter {
  /** Lower case; matches names, identifiers and IDs. */
  text: string
  kinds: ReadonlySet<Kind>
  /** Metres. Targets without an altitude pass only while no limit is set. */
  floor: number | undefined
  ceiling: number | undefined
  /** URN of a device, or all. */
  device: string | undefined
}

export const everything: Filter = {
  text: '',
  kinds: new Set(['aircraft', 'drone', 'unknown']),
  floor: undefined,
  ceiling: undefined,
  device: undefined,
}

export function isWanted(target: Target, { text, kinds, floor, ceiling, device }: Filter): boolean {
  if (!kinds.has(target.kind)) return false
  if (device !== undefined && !target.devices.includes(device)) return false
  if (floor !== undefined && !(target.altitude >= floor)) return false
  if (ceiling !== undefined && !(target.altitude <= ceiling)) return false
  if (text === '') return true
  return [target.name, target.id, ...target.identifiers.map(({ id }) => id)].some((one) =>
    one.toLowerCase().includes(text),
  )
}

/** How many of the conditions are set. */
export function countConditions({ text, kinds, floor, ceiling, device }: Filter): number {
  return [text !== '', kinds.size < 3, floor !== undefined || ceiling !== undefined, device !== undefined].filter(
    Boolean,
  ).length
}
