/**
 * Relay states both ways: the document names them in responses and numbers them in requests.
 * See the specification, § Relay state.
 */
import type { RelayState, RelayUpdate } from '@posrep/spec'

const numbers = { Active: 1, Inactive: 2, Failed: 3 } as const satisfies Record<RelayState, RelayUpdate['state']>

export function toRelayStateNumber(state: RelayState): RelayUpdate['state'] {
  return numbers[state]
}

export function fromRelayStateNumber(number: RelayUpdate['state']): RelayState {
  return names[number]
}

const names = { 1: 'Active', 2: 'Inactive', 3: 'Failed' } as const satisfies Record<RelayUpdate['state'], RelayState>
