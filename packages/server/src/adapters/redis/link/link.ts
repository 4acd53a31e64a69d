/**
 * Redis as the adapters see it: scripts in, replies out, `unavailable` for every failure.
 * Adds the prefix to keys. Each call sends its deadline, as a time of Redis' clock; a script that starts later changes nothing.
 */
import { MultiErrorReply } from '@redis/client'
import { ApiError } from '../../../errors.ts'
import type { Logger } from '../../../ports/logger.ts'
import { type Connection, openConnection, type RedisClient } from './connection.ts'
import { createFailOver } from './fail-over.ts'
import { lateCode, type Script } from './script.ts'

export interface RedisLink {
  /** Runs the script atomically and waits up to `answerMs` (default 2,000) for its answer. `keys` are without the prefix. */
  run(script: Script, keys: string[], args: (string | number)[], answerMs?: number): Promise<unknown>
  /**
   * Writes the values and then runs the script, in one atomic step. The values are not arguments of the script, because it
   * would copy and read them several times. The script gets their keys after its own keys.
   */
  runAfterWriting(
    values: Value[],
    script: Script,
    keys: string[],
    args: (string | number)[],
    answerMs?: number,
  ): Promise<unknown>
  /** The values of the keys. Only for values that never change: has no deadline and does not check that Redis is the primary. */
  read(keys: string[]): Promise<(string | undefined)[]>
  /** Sends a message to all processes that subscribe to the channel. Returns their number. `channel` is without the prefix. */
  publish(channel: string, message: string): Promise<number>
  /** @param seq The last seq that this process got from the log with these keys. */
  recordSeq(log: string, seq: number): void
  /** Call it when the checks of Redis have passed, before anything is written. */
  begin(): Promise<void>
  /** The prefix of every key. */
  prefix: string
  /** For the checks at the start. */
  connection: Connection
  close(): Promise<void>
}

/** Without the prefix. */
export type Value = [key: string, bytes: Buffer]

export interface RedisLinkOptions {
  url: string
  logger: Pick<Logger, 'info' | 'warn'>
  /** The prefix of every key. Default "posrep:". */
  prefix?: string
}

/** How long a caller waits. A script does not start after this time. */
const usualAnswerMs = 2_000

/** @throws Error when Redis cannot be reached. */
export async function openRedisLink({ url, logger, prefix = 'posrep:' }: RedisLinkOptions): Promise<RedisLink> {
  /** Redis' clock minus ours. It may be too low, by at most one round trip, so a deadline is never too late. */
  let aheadMs = 0
  let hasBegun = false

  const failOver = createFailOver({
    run: (client, script, keys, args) =>
      evaluate(client, { values: [], script, keys: toKeys(keys), args, deadlineMs: performance.now() + usualAnswerMs }),
    logger,
  })
  const connection = await openConnection({ url, logger, greet, answerMs: usualAnswerMs })

  async function greet(client: RedisClient): Promise<void> {
    await compareClocks(client)
    if (hasBegun) await failOver.greet(client)
  }

  function toKeys(keys: string[]): string[] {
    return [...keys, 'schema', 'never'].map((key) => `${prefix}${key}`)
  }

  async function compareClocks(client: RedisClient): Promise<void> {
    const [seconds, microseconds] = await client.sendCommand<string[]>(['TIME'])
    aheadMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - performance.now()
  }

  /** Runs the step atomically and returns the answer of its script. */
  async function evaluate(client: RedisClient, { values, script, keys, args, deadlineMs }: Step): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args, String(deadlineMs + aheadMs)]
    try {
      return await send(client, values, ['EVALSHA', script.sha, ...rest])
    } catch (error) {
      if (!isRefusal(error, 'NOSCRIPT')) throw error
      return send(client, values, ['EVAL', script.text, ...rest])
    }
  }

  async function runStep(step: Omit<Step, 'deadlineMs'>, answerMs: number): Promise<unknown> {
    const timed = { ...step, deadlineMs: performance.now() + answerMs }
    return orUnavailable(() =>
      connection.run(async (client) => {
        try {
          return await evaluate(client, timed)
        } catch (error) {
          if (!isRefusal(error, lateCode)) throw error
          // The script was refused as late, but the caller still waits: Redis' clock must have been set forward.
          await compareClocks(client)
          return evaluate(client, timed)
        }
      }, answerMs),
    )
  }

  return {
    prefix,
    connection,
    recordSeq: failOver.recordSeq,
    async begin() {
      hasBegun = true
      await connection.run(failOver.greet)
    },
    run: (script, keys, args, answerMs = usualAnswerMs) =>
      runStep({ values: [], script, keys: toKeys(keys), args: args.map(String) }, answerMs),
    runAfterWriting(values, script, keys, args, answerMs = usualAnswerMs) {
      const names = values.map(([key]) => key)
      const written = values.flatMap(([key, bytes]) => [`${prefix}${key}`, bytes])
      const step = { values: written, script, keys: toKeys([...keys, ...names]), args: args.map(String) }
      return runStep(step, answerMs)
    },
    async read(keys) {
      const found = await orUnavailable(() =>
        connection.run((client) => client.mGet(keys.map((key) => `${prefix}${key}`))),
      )
      return found.map((value) => value ?? undefined)
    },
    publish: (channel, message) =>
      orUnavailable(() => connection.run((client) => client.publish(`${prefix}${channel}`, message))),
    close: () => connection.close(),
  }
}

interface Step {
  /** Alternating keys and values. */
  values: (string | Buffer)[]
  script: Script
  keys: string[]
  args: string[]
  deadlineMs: number
}

async function send(client: RedisClient, values: (string | Buffer)[], command: string[]): Promise<unknown> {
  if (values.length === 0) return client.sendCommand(command)
  try {
    const [, answer] = await client
      .multi()
      .addCommand(['MSET', ...values])
      .addCommand(command)
      .exec()
    return answer
  } catch (error) {
    throw error instanceof MultiErrorReply ? [...error.errors()][0] : error
  }
}

/** Turns every error into `unavailable`. */
async function orUnavailable<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (cause) {
    throw new ApiError('unavailable', 'The store did not take this; try again shortly', { cause })
  }
}

function isRefusal(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code)
}
