/**
 * One connection to Redis at a time, which reconnects when it is lost.
 * In: commands. Out: their replies, or an error within `answerMs`, even when Redis hangs. No command is queued while
 * there is no connection. The client's socket timeout is not used: it closes idle connections, and each write delays
 * it.
 */
import { ConnectionTimeoutError, createClient } from '@redis/client'
import type { Logger } from '../../../ports/logger.ts'

export type RedisClient = ReturnType<typeof createRedisClient>

export interface Connection {
  /**
   * @throws Error when there is no connection, or when Redis refuses the command, or does not answer in time. After a
   * timeout of half of the default or more, no more commands are sent over the connection.
   */
  run<T>(command: (client: RedisClient) => Promise<T>, answerMs?: number): Promise<T>
  close(): Promise<void>
}

export interface ConnectionOptions {
  /** Addresses of the Redis, asked for each new connection; the first that `greet` accepts is used. */
  urls(): string[]
  logger: Pick<Logger, 'info' | 'warn'>
  /** Runs on each new connection before it is used; when it fails, the connection is closed. */
  greet(client: RedisClient): Promise<void>
  /** Default for commands. */
  answerMs: number
  /** False: the first connection is retried until it succeeds, too. Default true. */
  isAwaited?: boolean
}

/** A connection or an answer that took longer than it may. */
export class LateError extends Error {}

/** Whether `error`, or what caused it, is that Redis was late: it may be in time when it is asked again. */
export function isLate(error: unknown): boolean {
  if (error instanceof LateError || error instanceof ConnectionTimeoutError) return true
  return error instanceof Error && isLate(error.cause)
}

/** Of `answerMs`. */
const maxConnect = 0.5
const reconnectMs = { least: 50, spread: 150 }
/** More commands in flight than this are refused, so that a slow Redis does not fill the memory of this process. */
const maxInFlight = 20_000

/** @throws Error when the first connection fails. A connection that is lost later is retried until it succeeds. */
export async function openConnection({
  urls,
  logger,
  greet,
  answerMs,
  isAwaited = true,
}: ConnectionOptions): Promise<Connection> {
  let current: RedisClient | undefined
  let lostBecause = new Error('Not connected yet')
  let closed = false
  const left = new Set<RedisClient>()
  /** How many commands wait for an answer. */
  const inFlight = new WeakMap<RedisClient, number>()
  if (isAwaited) current = await connect()
  else void reconnect()

  async function connect(): Promise<RedisClient> {
    let failure: unknown = new Error('No node of the cluster is known for it')
    for (const url of urls()) {
      try {
        const client = await connectTo(url)
        return client
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  async function connectTo(url: string): Promise<RedisClient> {
    const client = createRedisClient(url, answerMs * maxConnect)
    client.on('error', (cause: Error) => {
      leave(client, cause)
      destroy(client)
    })
    const connectAndGreet = async () => {
      await client.connect()
      await greet(client)
    }
    await withDeadline(client, connectAndGreet, answerMs).catch((error) => {
      destroy(client)
      throw error
    })
    return client
  }

  /**
   * Returns the reply, or throws if it takes longer than `withinMs`. Then the connection is left, unless the command
   * had little time: it may have waited for its turn, which says nothing of Redis.
   */
  async function withDeadline<T>(client: RedisClient, call: () => Promise<T>, withinMs: number): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    let isSecondHalf = false
    // In two halves: where this process could not run in the first, the answer may have arrived, and is read now.
    const timer = setTimeout(() => {
      if (!isSecondHalf) {
        isSecondHalf = true
        timer.refresh()
        return
      }
      const cause = new LateError(`Redis has not answered within ${Math.round(withinMs)} ms`)
      reject(cause)
      if (withinMs >= answerMs / 2) leave(client, cause)
    }, withinMs / 2)
    inFlight.set(client, (inFlight.get(client) ?? 0) + 1)
    try {
      return await Promise.race([call(), late])
    } finally {
      clearTimeout(timer)
      inFlight.set(client, (inFlight.get(client) ?? 0) - 1)
      destroyIfLeft(client)
    }
  }

  /**
   * Uses another connection from now on. The commands in flight wait for their answers, each for its own time: Redis
   * may still run them within that time, and then nobody must have been told that they have failed.
   */
  function leave(client: RedisClient, cause: Error): void {
    if (client !== current) return
    current = undefined
    lostBecause = cause
    left.add(client)
    destroyIfLeft(client)
    logger.warn({ err: cause }, 'redis connection lost; reconnecting')
    void reconnect()
  }

  function destroyIfLeft(client: RedisClient): void {
    if (!left.has(client) || inFlight.get(client)) return
    left.delete(client)
    destroy(client)
  }

  async function reconnect(): Promise<void> {
    while (!closed) {
      try {
        const client = await connect()
        if (closed) return destroy(client)
        current = client
        logger.info({}, 'redis connection restored')
        return
      } catch (error) {
        if (error instanceof Error) lostBecause = error
        await pause(reconnectMs.least + Math.random() * reconnectMs.spread)
      }
    }
  }

  return {
    async run(command, withinMs = answerMs) {
      const client = current
      if (!client) throw new Error('Not connected to Redis', { cause: lostBecause })
      try {
        return await withDeadline(client, () => command(client), withinMs)
      } catch (error) {
        // The address may lead to the new primary now.
        if (error instanceof Error && error.message.includes('READONLY')) leave(client, error)
        throw error
      }
    },
    async close() {
      closed = true
      for (const client of left) destroy(client)
      const client = current
      current = undefined
      if (!client) return
      await Promise.race([client.close(), pause(answerMs)])
      destroy(client)
    },
  }
}

function createRedisClient(url: string, connectTimeout: number) {
  return createClient({
    url,
    disableOfflineQueue: true,
    commandsQueueMaxLength: maxInFlight,
    socket: { connectTimeout, reconnectStrategy: false },
  })
}

/** Closes the connection. Commands that wait for a reply fail. */
function destroy(client: RedisClient): void {
  if (client.isOpen) client.destroy()
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
