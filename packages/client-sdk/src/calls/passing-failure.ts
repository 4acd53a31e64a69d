/** Which failures pass by themselves: a caller that repeats its calls waits, and tries again. */
import { PosrepError, type PosrepErrorCode } from '../errors.ts'

const passing = new Set<PosrepErrorCode>([
  'storage_unavailable',
  'temporarily_unavailable',
  'timeout',
  'too_many_requests',
  'unavailable',
  'unreachable',
])

export function isPassing(error: unknown): error is PosrepError {
  return error instanceof PosrepError && passing.has(error.code)
}
