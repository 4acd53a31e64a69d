/**
 * What an aircraft says of itself by its transponder's code and its emergency state.
 * In: `target.additionalInfo`, which is any JSON. Out: the code and the state; the codes 7500, 7600 and 7700 are
 * states, too.
 */
import type { EmergencyState, Target } from '@posrep/spec'

const byCode: Record<string, EmergencyState> = { '7500': 'unlawful', '7600': 'nordo', '7700': 'general' }
const states = new Set<unknown>([
  'general',
  'lifeguard',
  'minfuel',
  'nordo',
  'unlawful',
  'downed',
  'reserved',
] satisfies EmergencyState[])

export function toEmergency(info: Target['additionalInfo']): { squawk?: string; emergency?: EmergencyState } {
  const { squawk: code, emergency: state } = info ?? {}
  const squawk = typeof code === 'string' && /^[0-7]{4}$/.test(code) ? code : undefined
  const emergency = isState(state) ? state : byCode[squawk ?? '']
  return { ...(squawk !== undefined && { squawk }), ...(emergency && { emergency }) }
}

function isState(state: unknown): state is EmergencyState {
  return states.has(state)
}
