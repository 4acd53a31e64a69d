/**
 * Redis as the adapters see it, or in a cluster the part of it that a hash tag names: scripts in, replies out,
 * `unavailable` for every failure. All keys of a link are on one node.
 * Adds the prefix to keys. Each call sends its deadline, as a time of Redis' clock; a script that starts later changes
 * nothing.
 */
import { MultiErrorReply } from '@redis/client'
import { ApiError } from '../../../errors.ts'
import type { Logger } from '../../../ports/logger.ts'
import type { LogName } from '../../../ports/storage/log.ts'
import type { Confirm } from '../nodes/confirmation.ts'
import type { Connection, RedisClient } from '../nodes/connection.ts'
import { compareClocks, type RedisNodes, stateOf } from '../nodes/nodes.ts'
import { createFailOver } from './fail-over.ts'
import { lateCode, type Script } from './script.ts'

export interface RedisLink {
  /**
   * Runs the script atomically and waits up to `answerMs` for its answer. `keys` are without the prefix.
   */
  run(script: Script, keys: string[], args: (string | number)[], answerMs?: number): Promise<unknown>
  /**
   * Writes the values and then runs the script, in one atomic step. The values are not arguments of the script, because
   * it would copy and read them several times. The script gets their keys after its own keys.
   */
  runAfterWriting(
    values: Value[],
    script: Script,
    keys: string[],
    args: (string | number)[],
    answerMs?: number,
  ): Promise<unknown>
  /**
   * The values of the keys. Only for values that never change: has no deadline and does not check that Redis is the
   * primary.
   */
  read(keys: string[]): Promise<(string | undefined)[]>
  /**
   * Sends a message to all processes that subscribe to the channel. Returns their number. `channel` is without the
   * prefix.
   */
  publish(channel: string, message: string): Promise<number>
  /** @param seq The last seq that this process got from the log with these keys. */
  recordSeq(log: LogName, seq: number): void
  /** The prefix of every key. */
  prefix: string
  /** How long a call waits for its answer, if it says nothing else. */
  answerMs: number
  /** For single commands, such as the checks at the start. */
  connection: Pick<Connection, 'run'>
}

/** Without the prefix. */
export type Value = [key: string, bytes: Buffer]

export interface RedisLinkOptions {
  nodes: RedisNodes
  /** The slot of the hash tag in the prefix. Without a cluster, any. */
  slot: number
  /** The prefix of every key. */
  prefix: string
  /** How long a caller waits. A script does not start after this time. */
  answerMs: number
  /** Runs after each script that writes. */
  confirm: Confirm
  logger: Pick<Logger, 'info' | 'warn'>
}

export function createRedisLink({
  nodes,
  slot,
  prefix,
  answerMs: usualAnswerMs,
  confirm,
  logger,
}: RedisLinkOptions): RedisLink {
  const failOver = createFailOver({
    run: (client, script, keys, args) =>
      evaluate(client, { values: [], script, keys: toKeys(keys), args, deadlineMs: performance.now() + usualAnswerMs }),
    logger,
  })
  const connection: RedisLink['connection'] = { run: (command, answerMs) => nodes.run(slot, command, answerMs) }

  function toKeys(keys: string[]): string[] {
    return [...keys, 'schema', 'never'].map((key) => `${prefix}${key}`)
  }

  /** Runs the step atomically and returns the answer of its script. */
  async function evaluate(client: RedisClient, { values, script, keys, args, deadlineMs }: Step): Promise<unknown> {
    const rest = [String(keys.length), ...keys, ...args, String(deadlineMs + stateOf(client).aheadMs)]
    try {
      return await send(client, values, ['EVALSHA', script.sha, ...rest])
    } catch (error) {
      if (!isRefusal(error, 'NOSCRIPT')) throw error
      return send(client, values, ['EVAL', script.text, ...rest])
    }
  }

  async function evaluateAndConfirm(client: RedisClient, step: Step): Promise<unknown> {
    const answer = await evaluate(client, step)
    if (step.script.writes) await confirm(client)
    return answer
  }

  async function runStep(step: Omit<Step, 'deadlineMs'>, answerMs: number): Promise<unknown> {
    const timed = { ...step, deadlineMs: performance.now() + answerMs }
    return orUnavailable(() =>
      connection.run(async (client) => {
        try {
          await failOver.check(client)
          return await evaluateAndConfirm(client, timed)
        } catch (error) {
          if (!isRefusal(error, lateCode)) throw error
          // The script was refused as late, but the caller still waits: Redis' clock must have been set forward.
          await compareClocks(client)
          return evaluateAndConfirm(client, timed)
        }
      }, answerMs),
    )
  }

  return {
    prefix,
    answerMs: usualAnswerMs,
    connection,
    recordSeq: failOver.recordSeq,
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
      orUnavailable(() =>
        connection.run((client) => {
          const own = `${prefix}${channel}`
          return stateOf(client).hasShardedMessages ? client.sPublish(own, message) : client.publish(own, message)
        }),
      ),
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
