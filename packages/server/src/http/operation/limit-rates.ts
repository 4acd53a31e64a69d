/**
 * Limits how often an account calls each operation, from outside and through the pages. Each further portion of a list
 * counts as a call: it costs about as much as a short list.
 * In: the handlers, and the calls in a minute. Out: the same handlers, which refuse with `too_many_requests` beyond.
 */
import type { OperationId } from '@posrep/spec'
import type { Clock } from '../../ports/clock.ts'
import { createThrottle } from '../throttle.ts'
import { JsonList } from './json-list.ts'
import type { Handler, Handlers } from './operation.ts'

export interface RateOptions {
  clock: Clock
  /** Of an account in a minute; null: not limited here. */
  callsPerMinute: Record<OperationId, number | null>
}

export function limitRates(handlers: Handlers, { clock, callsPerMinute }: RateOptions): Handlers {
  function limit(operationId: OperationId, handler: Handler<OperationId>): Handler<OperationId> {
    const perMinute = callsPerMinute[operationId]
    if (perMinute === null) return handler
    const message = `More than ${perMinute} calls of ${operationId} by this account in a minute`
    const throttle = createThrottle({ clock, limit: perMinute, windowMs: 60_000, message })
    return async (request) => {
      if (request.principal?.kind !== 'user') return handler(request)
      const { accountId } = request.principal
      throttle.check(accountId)
      throttle.count(accountId)
      const answer = await handler(request)
      const { body }: { body?: unknown } = answer
      if (body instanceof JsonList) body.countFurther(() => throttle.count(accountId))
      return answer
    }
  }

  const limited = Object.entries(handlers).map(([name, handler]) => {
    // `Object.entries` loses which handler belongs to which operation.
    const operationId = name as OperationId
    return [operationId, limit(operationId, handler as Handler<OperationId>)]
  })
  return Object.fromEntries(limited) as Handlers
}
