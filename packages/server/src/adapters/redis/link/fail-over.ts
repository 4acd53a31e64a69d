/**
 * Handles a Redis that has lost its last acknowledged writes, by a restart or when a replica took over.
 * In: each new connection, before the first script. Out: seqs and fences that were never assigned before, so that a
 * lease of lost entries cannot settle newer ones; and a warning with the number of missing entries.
 */
import type { Logger } from '../../../ports/logger.ts'
import { type LogName, logNames } from '../../../ports/storage/log.ts'
import type { RedisClient } from '../nodes/connection.ts'
import { stateOf } from '../nodes/nodes.ts'
import { logPrefix } from './log-prefix.ts'
import { toTexts } from './reply.ts'
import { createScript, type Script, schemaVersion } from './script.ts'

export interface FailOver {
  /** Resolves when the connection may be used. Does its work once for each connection. */
  check(client: RedisClient): Promise<void>
  /** @param seq The last seq that this process got from the log. */
  recordSeq(log: LogName, seq: number): void
}

export interface FailOverOptions {
  run(client: RedisClient, script: Script, keys: string[], args: string[]): Promise<unknown>
  logger: Pick<Logger, 'info' | 'warn'>
}

/** How many seqs and fences are skipped. Redis cannot have assigned more of them in the writes that it has lost. */
const skipped = 1_000_000

// It writes a few small keys, even while memory is full.
const takeOverScript = createScript(`
local before, known = redis.call('GET', KEYS[1]), ARGV[2] == '1'
redis.call('SET', KEYS[#KEYS - 1], ${schemaVersion}, 'NX')
local isOther = before ~= ARGV[1]
if isOther then redis.call('SET', KEYS[1], ARGV[1]) end
local lastSeqs = {}
for n = 2, #KEYS - 2 do
  local counts = KEYS[n]
  if isOther and (before or known) then
    redis.call('HSET', counts, 'last-seq-before', redis.call('HGET', counts, 'seq') or 0)
    redis.call('HINCRBY', counts, 'seq', ${skipped})
    redis.call('HINCRBY', counts, 'fence', ${skipped})
  end
  lastSeqs[n - 1] = redis.call('HGET', counts, 'last-seq-before')
end
return lastSeqs`)

export function createFailOver({ run, logger }: FailOverOptions): FailOver {
  const last = new Map<LogName, number>()
  let known: string | undefined
  const checks = new WeakMap<RedisClient, Promise<void>>()

  /** @param lastSeqs The last seq of each log in this Redis, before seqs were skipped. */
  function warn(lastSeqs: string[]): void {
    for (const [index, log] of logNames.entries()) {
      const missing = (last.get(log) ?? 0) - Number(lastSeqs[index])
      if (missing <= 0) continue
      logger.warn({ log, missing }, 'redis lost the last entries that it had acknowledged; check its replication')
    }
  }

  async function takeOver(client: RedisClient): Promise<void> {
    const own = stateOf(client).identity
    const keys = ['redis', ...logNames.map((log) => `${logPrefix(log)}counts`)]
    const lastSeqs = toTexts(await run(client, takeOverScript, keys, [own, known === undefined ? '0' : '1']))
    if (known !== undefined && known !== own) warn(lastSeqs)
    known = own
  }

  return {
    check(client) {
      let check = checks.get(client)
      if (!check) {
        check = takeOver(client)
        checks.set(client, check)
        // The next script of the connection tries again.
        check.catch(() => checks.delete(client))
      }
      return check
    },
    recordSeq: (log, seq) => void last.set(log, seq),
  }
}
