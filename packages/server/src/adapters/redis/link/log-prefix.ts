/** The prefix of the keys and channels of a log. */
import type { LogName } from '../../../ports/storage/log.ts'

export function logPrefix(name: LogName): string {
  return `log:${name}:`
}
