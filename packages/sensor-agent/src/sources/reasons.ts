/**
 * Why an input of a source gave no position. The codes are counted, and shown in the status, the metrics and by
 * `doctor`.
 */

export const unusableReasons = {
  unreadable: 'not in the format of the source',
  no_identifier: 'nothing identifies the target',
  no_place: 'no latitude or longitude, or not a number',
  impossible_place: 'not on Earth',
  null_island: 'at 0/0, as receivers without a fix say',
  no_time: 'no time, and it was not received now',
  odd_time: 'of a recording, far from the times around it',
  twice_in_snapshot: 'the same target is in the list twice',
  invalid_position: 'the service would refuse it',
  position_too_large: 'larger than the spool takes',
  too_many: 'came faster than it could be stored',
} as const

export type UnusableReason = keyof typeof unusableReasons

/** What a mapper tells about its input, besides the positions. */
export interface MapperListener {
  /** An input gave no position. The message is for people: it quotes what was odd. */
  onUnusable?: (reason: UnusableReason, message: string) => void
  /** A position was read without this part, because it could not be read. `time`: it has the time of this machine. */
  onPartial?: (part: string) => void
}

export type ReasonCounts = Partial<Record<UnusableReason, number>>

export function countReason(counts: ReasonCounts, reason: UnusableReason): void {
  counts[reason] = (counts[reason] ?? 0) + 1
}

const longestQuote = 80

/** A part of an input, for a message: short, and without bytes that control a terminal. */
export function quote(text: string, longest = longestQuote): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  return shown.replace(
    /[\p{Cc}\p{Cf}]/gu,
    (character) => `\\x${(character.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`,
  )
}
