/**
 * Redis as the adapters see it: scripts in, replies out, `unavailable` for every failure.
 * Keys get the prefix here. Each call carries its deadline in the time of Redis; what comes later changes nothing.
 */
import { ApiError } from '../../errors.ts'
import type { Logger } from '../../ports/logger.ts'
import { type Connection, openConnection, type RedisClient } from './connection.ts'
import { lateCode, type Script } from './script.ts'

export interface RedisLink {
  /** Runs the script as one step, and waits 2 s for its answer unless `answerMs` says otherwise. Keys come without the prefix. */
  run(script: Script, keys: string[], args: (string | number)[], answerMs?: number): Promise<unknown>
  /** In front of every key. */
  prefix: string
  /** For what is asked once, at the start. */
  connection: Connection
  close(): Promise<void>
}

export interface RedisLinkOptions {
  url: string
  logger: Pick<Logger, 'info' | 'warn'>
  /** In front of every key. Default "posrep:". */
  prefix?: string
}

/** How long a caller waits, and how late a script may begin. */
const usualAnswerMs = 2_000

/** @throws Error when Redis cannot be reached. */
export async function openRedisLink({ url, logger, prefix = 'posrep:' }: RedisLinkOptions): Promise<RedisLink> {
  /** The time of Redis minus ours, at most a round trip too low: a deadline is never later than meant. */
  let aheadMs = 0

  const connection = await openConnection({ url, logger, greet: compareClocks, answerMs: usualAnswerMs })

  async function compareClocks(client: RedisClient): Promise<void> {
    const [seconds, microseconds] = await client.sendCommand<string[]>(['TIME'])
    aheadMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - performance.now()
  }

  async function evaluate(
    client: RedisClient,
    script: Script,
    keys: string[],
    args: string[],
    deadlineMs: number,
  ): Promise<unknown> {
    const options = { keys, arguments: [...args, String(deadlineMs + aheadMs)] }
    try {
      return await client.evalSha(script.sha, options)
    } catch (error) {
      if (!isRefusal(error, 'NOSCRIPT')) throw error
      return client.eval(script.text, options)
    }
  }

  return {
    prefix,
    connection,
    async run(script, keys, args, answerMs = usualAnswerMs) {
      const deadlineMs = performance.now() + answerMs
      const prefixed = [...keys, 'schema', 'never'].map((key) => `${prefix}${key}`)
      const texts = args.map(String)
      try {
        return await connection.run(async (client) => {
          try {
            return await evaluate(client, script, prefixed, texts, deadlineMs)
          } catch (error) {
            if (!isRefusal(error, lateCode)) throw error
            // We are still here: the clock of Redis was set forward.
            await compareClocks(client)
            return evaluate(client, script, prefixed, texts, deadlineMs)
          }
        }, answerMs)
      } catch (cause) {
        throw new ApiError('unavailable', 'The store did not take this; try again shortly', { cause })
      }
    },
    close: () => connection.close(),
  }
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code)
}
