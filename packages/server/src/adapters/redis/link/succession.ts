/**
 * What holds when another Redis takes over, or the same one comes back: it may lack what was answered last.
 * In: each new connection, before it is used. Out: numbers and fences of logs that were never given before, so that who
 * worked on what is lost takes nothing away from what came since; and a warning that says how much is missing.
 */
import type { Logger } from '../../../ports/logger.ts'
import { toInfo } from './checks.ts'
import type { RedisClient } from './connection.ts'
import { toTexts } from './reply.ts'
import { createScript, type Script } from './script.ts'

export interface Succession {
  /** @throws Error on a replica: its address may lead to the primary soon. */
  greet(client: RedisClient): Promise<void>
  /** @param seq The last one that the log with these keys gave to this process. */
  answered(log: string, seq: number): void
}

export interface SuccessionOptions {
  run(client: RedisClient, script: Script, keys: string[], args: string[]): Promise<unknown>
  logger: Pick<Logger, 'info' | 'warn'>
}

const logs = ['report', 'delivery'].map((name) => ({ name, keys: `log:${name}:` }))

/** More than any Redis gives between its last write that a replica has and the last that it answered. */
const skipped = 1_000_000

// It writes to what is there already, also where memory is full.
const takeOverScript = createScript(`
local before, known = redis.call('GET', KEYS[1]), ARGV[2] == '1'
local isOther = before ~= ARGV[1]
if isOther then redis.call('SET', KEYS[1], ARGV[1]) end
local kept = {}
for place = 2, #KEYS - 2 do
  local counts = KEYS[place]
  if isOther and (before or known) then
    redis.call('HSET', counts, 'kept', redis.call('HGET', counts, 'seq') or 0)
    redis.call('HINCRBY', counts, 'seq', ${skipped})
    redis.call('HINCRBY', counts, 'fence', ${skipped})
  end
  kept[place - 1] = redis.call('HGET', counts, 'kept')
end
return kept`)

export function createSuccession({ run, logger }: SuccessionOptions): Succession {
  const last = new Map<string, number>()
  let known: string | undefined

  function tell(kept: string[]): void {
    for (const [place, { name, keys }] of logs.entries()) {
      const missing = (last.get(keys) ?? 0) - Number(kept[place])
      if (missing <= 0) continue
      logger.warn({ log: name, missing }, 'redis lacks the last that it had answered; look at its replication')
    }
  }

  return {
    async greet(client) {
      const info = toInfo(await client.info())
      if (info.get('role') !== 'master') throw new Error('Redis is a replica')
      // One changes with the process, the other one when a replica takes over.
      const own = `${info.get('run_id')} ${info.get('master_replid')}`
      const keys = ['redis', ...logs.map((log) => `${log.keys}counts`)]
      const kept = toTexts(await run(client, takeOverScript, keys, [own, known === undefined ? '0' : '1']))
      if (known !== undefined && known !== own) tell(kept)
      known = own
    },
    answered: (log, seq) => void last.set(log, seq),
  }
}
