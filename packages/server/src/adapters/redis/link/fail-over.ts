/**
 * Handles a Redis that has lost its last acknowledged writes, by a restart or when a replica took over.
 * In: each new connection, before it is used. Out: seqs and fences that were never assigned before, so that a lease of lost
 * entries cannot settle newer ones; and a warning with the number of missing entries.
 */
import type { Logger } from '../../../ports/logger.ts'
import { toInfo } from './checks.ts'
import type { RedisClient } from './connection.ts'
import { toTexts } from './reply.ts'
import { createScript, type Script } from './script.ts'

export interface FailOver {
  /** @throws Error on a replica. The caller connects again, because the address may soon lead to the primary. */
  greet(client: RedisClient): Promise<void>
  /** @param seq The last seq that this process got from the log with this key prefix. */
  recordSeq(log: string, seq: number): void
}

export interface FailOverOptions {
  run(client: RedisClient, script: Script, keys: string[], args: string[]): Promise<unknown>
  logger: Pick<Logger, 'info' | 'warn'>
}

const logs = ['report', 'delivery'].map((name) => ({ name, keys: `log:${name}:` }))

/** How many seqs and fences are skipped. Redis cannot have assigned more of them in the writes that it has lost. */
const skipped = 1_000_000

// It writes a few small keys, even while memory is full.
const takeOverScript = createScript(`
local before, known = redis.call('GET', KEYS[1]), ARGV[2] == '1'
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
  const last = new Map<string, number>()
  let known: string | undefined

  /** @param lastSeqs The last seq of each log in this Redis, before seqs were skipped. */
  function warn(lastSeqs: string[]): void {
    for (const [index, { name, keys }] of logs.entries()) {
      const missing = (last.get(keys) ?? 0) - Number(lastSeqs[index])
      if (missing <= 0) continue
      logger.warn({ log: name, missing }, 'redis lost the last entries that it had acknowledged; check its replication')
    }
  }

  return {
    async greet(client) {
      const info = toInfo(await client.info())
      if (info.get('role') !== 'master') throw new Error('Redis is a replica')
      // `run_id` changes when Redis restarts, `master_replid` when a replica takes over.
      const own = `${info.get('run_id')} ${info.get('master_replid')}`
      const keys = ['redis', ...logs.map((log) => `${log.keys}counts`)]
      const lastSeqs = toTexts(await run(client, takeOverScript, keys, [own, known === undefined ? '0' : '1']))
      if (known !== undefined && known !== own) warn(lastSeqs)
      known = own
    },
    recordSeq: (log, seq) => void last.set(log, seq),
  }
}
