/**
 * Relay states both ways: the document names them in responses and numbers them in requests.
 * See the specification, § Relay state.
 */
import type { RelayState, RelayUpdate } from '@posrep/spec'

/** Each at the index that is its number less one. */
const names = ['Active', 'Inactive', 'Failed'] as const satisfies RelayState[]

/** The number by which `updateRelay()` sets the state. */
export function toRelayStateNumber(state: RelayState): RelayUpdate['state'] {
  // The index of one of three names.
  return (names.indexOf(state) + 1) as RelayUpdate['state']
}

/** The state that such a number sets. */
export function fromRelayStateNumber(number: RelayUpdate['state']): RelayState {
  // The type has these numbers only.
  return names[number - 1] as RelayState
}
