/**
 * Says that a position has the time of this machine at reception, because its source states none.
 * In: a position. Out: the same with `target.additionalInfo.timeSource`, `agent`.
 */
import type { PositionData } from '@posrep/spec'
import { findFields } from './fields.ts'

export function withAgentTime(position: PositionData): PositionData {
  const { target } = position
  return { ...position, target: { ...target, additionalInfo: { ...target?.additionalInfo, timeSource: 'agent' } } }
}

export function isAgentTime(position: object): boolean {
  const target = 'target' in position ? findFields(position.target) : undefined
  return findFields(target?.additionalInfo)?.timeSource === 'agent'
}
