/**
 * Messages between processes: a log may have entries to lease, a relay or an air picture has changed. They use a
 * separate connection, because a subscribed connection accepts no other commands. No report depends on a message:
 * followers also poll the log.
 */
import type { Logger } from '../../../ports/logger.ts'
import { createWatchers } from '../../watchers.ts'
import { openConnection } from '../nodes/connection.ts'
import { logPrefix } from './log-prefix.ts'
import type { RedisParts } from './open-redis.ts'

/** The names of channels have the prefix of their link. */
export interface RedisPubSub {
  /** Calls `listener` after messages of the channel, at most once per 5 ms. Returns a function that ends this. */
  watch(channel: string, listener: () => void): () => void
  /** Calls the listener of the channel with each message. */
  subscribe(channel: string, listener: (message: string) => void): void
  /** The same for a channel that this process needs for some time only. Returns a function that ends this. */
  join(channel: string, listener: (message: string) => void): () => void
  close(): Promise<void>
}

export interface RedisPubSubOptions {
  /**
   * The connection is to the node of `service`, and follows it: there, Redis counts who receives the messages of
   * relays. A cluster sends the messages of all its nodes to each node.
   */
  parts: Omit<RedisParts, 'close'>
  logger: Pick<Logger, 'info' | 'warn'>
}

const answerMs = 2_000
/** Limits the calls of listeners, because many processes may publish after each append. */
const notifyEveryMs = 5

/** @throws Error when Redis cannot be reached, or does not allow this user to subscribe. */
export async function openRedisPubSub({ parts, logger }: RedisPubSubOptions): Promise<RedisPubSub> {
  const { service, partitions, serviceUrls } = parts
  const channels = [
    ...partitions.flatMap(({ prefix }) => [
      `${prefix}${logPrefix('report')}work`,
      `${prefix}${logPrefix('delivery')}work`,
    ]),
    `${service.prefix}relay:changes`,
    `${service.prefix}relay:acknowledged`,
  ]
  const watched = new Map<string, ReturnType<typeof createWatchers>>()
  const scheduled = new Set<string>()
  const subscribers = new Map<string, (message: string) => void>()

  function scheduleNotify(channel: string): void {
    if (scheduled.has(channel) || !watched.has(channel)) return
    scheduled.add(channel)
    setTimeout(() => {
      scheduled.delete(channel)
      watched.get(channel)?.notify()
    }, notifyEveryMs).unref()
  }

  function receive(message: string, channel: string): void {
    subscribers.get(channel)?.(message)
    scheduleNotify(channel)
  }

  /** The channels that were joined. */
  const joined = new Set<string>()

  /** If the connection is lost, the next one subscribes to all channels. */
  function change(step: 'subscribe' | 'unsubscribe', channel: string): void {
    void connection
      .run((client) => (step === 'subscribe' ? client.subscribe(channel, receive) : client.unsubscribe(channel)))
      .catch(() => {})
  }

  const connection = await openConnection({
    urls: serviceUrls,
    logger,
    greet: (client) => client.subscribe([...channels, ...joined], receive),
    answerMs,
  })
  parts.watch(connection.follow)

  return {
    watch(channel, listener) {
      const watchers = watched.get(channel) ?? createWatchers()
      watched.set(channel, watchers)
      return watchers.watch(listener)
    },
    subscribe: (channel, listener) => void subscribers.set(channel, listener),
    join(channel, listener) {
      subscribers.set(channel, listener)
      joined.add(channel)
      change('subscribe', channel)
      return () => {
        if (subscribers.get(channel) !== listener) return
        subscribers.delete(channel)
        joined.delete(channel)
        change('unsubscribe', channel)
      }
    },
    close: () => connection.close(),
  }
}
