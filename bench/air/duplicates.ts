/**
 * What becomes of targets that a radar reports beside a transponder.
 * In: a recording with `~` addresses, as one receiver reports it: without perturbation, with its own ids. Out: a
 * sentence that says how many `~` addresses share a track with an ICAO address, and which ones.
 */
import { createCorrelator } from '@posrep/air/correlation'
import type { Recorded } from './recordings.ts'

export function countDuplicates(recorded: readonly Recorded[]): string {
  const tracker = createCorrelator()
  const anonymous = new Set<string>()
  const joined = new Map<string, string>()
  let tickMs = 0
  for (const { identity, position } of recorded) {
    const { timeMs } = position
    if (identity.startsWith('~')) anonymous.add(identity)
    for (; tickMs < timeMs; tickMs = tickMs === 0 ? timeMs : tickMs + 1_000) tracker.advance(tickMs)
    const target = { ...position.target, sourceId: identity }
    const track = tracker.observe({ deviceUrn: 'one', receivedAtMs: timeMs, position: { ...position, target } })
    const identifiers = tracker.find(track ?? '')?.identifiers ?? []
    const address = identifiers.find(({ kind }) => kind === 'ICAO')
    for (const { kind, id } of identifiers) if (address && kind === 'other') joined.set(id, address.id)
    tracker.takeChanges()
  }
  const pairs = [...joined].map(([one, other]) => `${one} = ${other}`)
  return `${joined.size} of ${anonymous.size} addresses with ~ share a track with an ICAO address: ${pairs.join(', ')}`
}
