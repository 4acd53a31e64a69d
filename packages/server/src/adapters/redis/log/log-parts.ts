/** What the files of this room share of one log. */
import type { Clock } from '../../../ports/clock.ts'
import type { LogName } from '../../../ports/storage/log.ts'
import type { RedisLink } from '../link/link.ts'
import type { EntryBodies } from './entry-bodies.ts'
import type { Partition } from './partition-seqs.ts'

export interface LogParts {
  link: RedisLink
  clock: Clock
  name: LogName
  keys: [prefix: string]
  partition: Partition
  bodies: EntryBodies
  watchers: { notify(): void }
  /** @param reply Clients, each with its bytes. */
  recordClientBytes(reply: unknown): void
}
