/**
 * Builds a text that identifies a report among the reports of its device.
 * In: its positions. Out: their ids and times, in order, as one text: the id of the relay message is a hash of it.
 */
import type { PositionData } from '@posrep/spec'

export function toIdentityText(positions: readonly PositionData[]): string {
  const parts = ['']
  for (const { id, sourceTimeStamp } of positions) parts.push(id, sourceTimeStamp)
  return parts.join('\n')
}
