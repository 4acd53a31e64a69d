/**
 * Builds a text that identifies a report among the reports of its device.
 * In: its positions. Out: their ids and times, in order, as one text: the id of the relay message is a hash of it.
 */
import type { PositionData } from '@posrep/spec'

export function toNames(positions: readonly PositionData[]): string {
  const names = ['']
  for (const { id, sourceTimeStamp } of positions) names.push(id, sourceTimeStamp)
  return names.join('\n')
}
