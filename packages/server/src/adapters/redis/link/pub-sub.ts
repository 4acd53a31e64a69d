/**
 * Messages between processes: a log may have entries to lease, a relay or an air picture has changed. They use
 * connections of their own, because a subscribed connection accepts no other commands. No report depends on a message:
 * followers also poll the log.
 * A channel has the hash tag of its part, and its messages stay on the node of that part (`SPUBLISH`): other nodes of a
 * cluster would get each message that is sent with `PUBLISH`. Redis before 7.0 has nothing else.
 */
import type { Logger } from '../../../ports/logger.ts'
import { createWatchers } from '../../watchers.ts'
import { type Connection, openConnection, type RedisClient } from '../nodes/connection.ts'
import { hasShardedMessages, toInfo } from '../nodes/info.ts'
import type { RedisLink } from './link.ts'
import { logPrefix } from './log-prefix.ts'
import type { RedisParts } from './open-redis.ts'

/** The names of channels have the prefix of their link. */
export interface RedisPubSub {
  /** Calls `listener` after messages of the channel, at most once per 5 ms. Returns a function that ends this. */
  watch(channel: string, listener: () => void): () => void
  /** Calls the listener of the channel with each message. */
  subscribe(channel: string, listener: (message: string) => void): void
  /**
   * The same for a channel of `service` that this process needs for some time only. Returns a function that ends this.
   */
  join(channel: string, listener: (message: string) => void): () => void
  close(): Promise<void>
}

export interface RedisPubSubOptions {
  parts: Omit<RedisParts, 'close'>
  logger: Pick<Logger, 'info' | 'warn'>
}

/** A connection to a node, and the parts whose channels it subscribes to. */
interface Subscription {
  parts: RedisLink[]
  connection: Promise<Connection>
}

/** Limits the calls of listeners, because many processes may publish after each append. */
const notifyEveryMs = 5

/** @throws Error when the node of `service` cannot be reached, or does not allow this user to subscribe. */
export async function openRedisPubSub({ parts, logger }: RedisPubSubOptions): Promise<RedisPubSub> {
  const { service, partitions } = parts
  const { answerMs } = service
  const watched = new Map<string, ReturnType<typeof createWatchers>>()
  const scheduled = new Set<string>()
  const subscribers = new Map<string, (message: string) => void>()
  /** The channels that were joined. */
  const joined = new Set<string>()
  /** By the addresses of a node. */
  const subscriptions = new Map<string, Subscription>()
  const sharded = new WeakSet<RedisClient>()

  function channelsOf(part: RedisLink): string[] {
    const own = (names: string[]) => names.map((name) => `${part.prefix}${name}`)
    const ofService = part === service ? [...own(['relay:changes', 'relay:acknowledged']), ...joined] : []
    const ofLogs = partitions.includes(part) ? own([`${logPrefix('report')}work`, `${logPrefix('delivery')}work`]) : []
    return [...ofService, ...ofLogs]
  }

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

  function subscribe(client: RedisClient, channels: string[]): Promise<void> {
    return sharded.has(client) ? client.sSubscribe(channels, receive) : client.subscribe(channels, receive)
  }

  /** One command for each part, because the channels of a command must be in one slot. */
  async function greet(client: RedisClient, of: RedisLink[]): Promise<void> {
    if (hasShardedMessages(toInfo(await client.info('server')))) sharded.add(client)
    await Promise.all(of.map((part) => subscribe(client, channelsOf(part))))
  }

  /** Opens a connection to each node that has parts, and again where they are others than before. */
  function follow(): void {
    const found = new Map<string, RedisLink[]>()
    for (const part of new Set([service, ...partitions])) {
      const node = parts.findUrls(part).join()
      if (node === '') continue
      const own = found.get(node) ?? []
      own.push(part)
      found.set(node, own)
    }
    for (const [node, { parts: before, connection }] of subscriptions) {
      if (isSame(before, found.get(node) ?? [])) continue
      subscriptions.delete(node)
      connection.then((opened) => opened.close()).catch(() => {})
    }
    for (const [node, own] of found) {
      if (subscriptions.has(node)) continue
      const [first = service] = own
      const urls = parts.findUrls(first)
      const connection = openConnection({
        ...{ urls: () => urls, logger, answerMs, greet: (client: RedisClient) => greet(client, own) },
        isAwaited: !isOpen && own.includes(service),
      })
      subscriptions.set(node, { parts: own, connection })
    }
  }

  /** If the connection is lost, the next one subscribes to all channels. */
  async function change(step: 'join' | 'leave', channel: string): Promise<void> {
    const connection = await findService()?.connection
    await connection?.run((client) => {
      if (step === 'join') return subscribe(client, [channel])
      return sharded.has(client) ? client.sUnsubscribe(channel) : client.unsubscribe(channel)
    })
  }

  const findService = () => [...subscriptions.values()].find(({ parts: own }) => own.includes(service))

  async function close(): Promise<void> {
    const opened = await Promise.allSettled([...subscriptions.values()].map(({ connection }) => connection))
    subscriptions.clear()
    await Promise.all(opened.map((one) => (one.status === 'fulfilled' ? one.value.close() : undefined)))
  }

  let isOpen = false
  follow()
  try {
    await findService()?.connection
  } catch (error) {
    await close()
    throw error
  }
  isOpen = true
  parts.watch(follow)

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
      change('join', channel).catch(() => {})
      return () => {
        if (subscribers.get(channel) !== listener) return
        subscribers.delete(channel)
        joined.delete(channel)
        change('leave', channel).catch(() => {})
      }
    },
    close,
  }
}

function isSame(some: RedisLink[], others: RedisLink[]): boolean {
  return some.length === others.length && some.every((part, index) => part === others[index])
}
