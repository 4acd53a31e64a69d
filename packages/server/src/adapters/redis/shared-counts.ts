/**
 * `SharedCounts` in Redis: one string per window, `<end>|<events>`; its key is a hash, because what is limited may be
 * an address. Counts that arrive together share one script.
 * The callers' clocks end a window. One that seems to end later than a whole window from now was begun by a process
 * whose clock is ahead, and is shortened.
 */
import { hash } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { CountedEvents, SharedCounts, SharedWindow } from '../../ports/storage/shared-counts.ts'
import type { RedisLink } from './link/link.ts'
import { toTexts } from './link/reply.ts'
import { createGrowingScript, takeArgument } from './link/script.ts'
import { createScriptBatch } from './link/script-batch.ts'

/** Redis' own expiry only frees memory. A window that is deleted too early is begun again. */
const cleanUpAfterMs = 1_000

const addScript = createGrowingScript(`${takeArgument}
local now = tonumber(take())
local windows = {}
for n = 1, #KEYS - 2 do
  local amount, windowMs, endsAt = tonumber(take()), tonumber(take()), take()
  local used = 0
  local stored = redis.call('GET', KEYS[n])
  if stored then
    local bar = string.find(stored, '|', 1, true)
    local storedEnd = string.sub(stored, 1, bar - 1)
    if tonumber(storedEnd) > now then
      used = tonumber(string.sub(stored, bar + 1))
      if tonumber(storedEnd) <= now + windowMs then endsAt = storedEnd end
    end
  end
  if amount > 0 then
    used = used + amount
    redis.call('SET', KEYS[n], endsAt .. '|' .. used, 'PX', windowMs + ${cleanUpAfterMs})
  end
  windows[n] = used .. '|' .. endsAt
end
return windows`)

/** 132 bits: no two keys are the same. */
const hashLength = 22
/** Of one call, roughly. */
const callBytes = 100

export function createRedisSharedCounts({ link, clock }: { link: RedisLink; clock: Clock }): SharedCounts {
  const add = createScriptBatch<CountedEvents, SharedWindow>({
    answerMs: link.answerMs,
    sizeOf: () => callBytes,
    async run(calls, answerMs) {
      const keys = calls.map(({ key }) => `count:${hash('sha256', key, 'base64url').slice(0, hashLength)}`)
      const args = calls.flatMap(({ amount, windowMs, endsAtMs }) => [amount, windowMs, endsAtMs])
      return toTexts(await link.run(addScript, keys, [clock.now(), ...args], answerMs)).map(toWindow)
    },
  })
  return { add }
}

function toWindow(text: string): SharedWindow {
  const [used, endsAtMs] = text.split('|')
  return { used: Number(used), endsAtMs: Number(endsAtMs) }
}
