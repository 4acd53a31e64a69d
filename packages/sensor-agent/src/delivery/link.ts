/**
 * Whether the service takes positions, and if not, why.
 * In: the outcomes of attempts. Out: the state for the counts; alarms; and to the spool, whether the service is online.
 */
import type { AgentError, AgentErrorCode } from '../errors.ts'
import type { Spool } from '../spool/spool.ts'
import type { Outcome } from './send-batch.ts'

/** Why positions were not accepted. */
export interface DeliveryFailure {
  /** `unavailable`: the service answered that it cannot take them now. `refused`: it never will. */
  code: AgentErrorCode | 'unavailable' | 'refused'
  message: string
}

export interface LinkOptions {
  spool: Pick<Spool, 'setOnline'>
  onAlarm(error: AgentError): void
}

export interface Link {
  observe(outcome: Outcome): void
  /** Positions were refused, and have left the spool. */
  refused(reason: string): void
  /** Something of this machine failed. */
  fail(alarm: AgentError): void
  state(): { online: boolean | undefined; lastFailure: DeliveryFailure | undefined }
}

/**
 * One alarm for each outage, because a wrong address, port or certificate is not mended by waiting, and one when its
 * kind changes.
 */
const outages: readonly AgentErrorCode[] = ['service_unreachable', 'foreign_answer']

export function createLink({ spool, onAlarm }: LinkOptions): Link {
  let online: boolean | undefined
  let lastFailure: DeliveryFailure | undefined
  let toldOutage: AgentErrorCode | undefined

  return {
    observe(outcome) {
      const wasOnline = online
      online = outcome.kind !== 'retry'
      if (online !== wasOnline) spool.setOnline?.(online)
      if (outcome.kind === 'retry') failAttempt(outcome)
      else if (lastFailure?.code !== 'refused') lastFailure = undefined
      // A batch that is split may still meet the same failure.
      if (outcome.kind === 'accepted' || outcome.kind === 'refused') toldOutage = undefined
    },
    refused(message) {
      lastFailure = { code: 'refused', message }
    },
    fail(alarm) {
      lastFailure = { code: alarm.code, message: alarm.message }
      onAlarm(alarm)
    },
    state: () => ({ online, lastFailure }),
  }

  function failAttempt({ reason, code, alarm }: Extract<Outcome, { kind: 'retry' }>): void {
    lastFailure = { code: alarm?.code ?? code ?? 'unavailable', message: alarm?.message ?? reason }
    if (!alarm || alarm.code === toldOutage) return
    if (outages.includes(alarm.code)) toldOutage = alarm.code
    onAlarm(alarm)
  }
}
