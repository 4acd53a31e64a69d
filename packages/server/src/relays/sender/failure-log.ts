/**
 * Logs why messages to a relay fail, with the cause that its owner is not shown.
 * In: each success and failure. Out: a line when a host begins to fail, and when its reason changes.
 */
import { LRUCache } from 'lru-cache'
import type { Logger } from '../../ports/logger.ts'
import type { RelayFailure } from './relay-failure.ts'

export interface FailureLog {
  failed(host: string, failure: RelayFailure): void
  succeeded(host: string): void
}

const maxHosts = 1_000

export function createFailureLog(logger: Pick<Logger, 'info'> | undefined): FailureLog {
  const failing = new LRUCache<string, string>({ max: maxHosts })
  return {
    failed(host, { code, message, cause }) {
      if (failing.get(host) === code) return
      failing.set(host, code)
      logger?.info({ host, code, reason: message, ...describe(cause) }, 'relay attempt failed')
    },
    succeeded(host) {
      if (failing.size > 0) failing.delete(host)
    },
  }
}

function describe(cause: unknown): { cause?: string } {
  if (!(cause instanceof Error)) return {}
  return { cause: 'code' in cause && cause.code ? String(cause.code) : cause.message }
}
