/**
 * Messages between processes: a log may have entries to lease, a relay or an air picture has changed. They use a separate connection,
 * because a subscribed connection accepts no other commands. No report depends on a message: followers also poll the log.
 */
import type { Logger } from '../../../ports/logger.ts'
import { createWatchers } from '../../watchers.ts'
import { openConnection } from './connection.ts'

/** The names of channels are without the prefix. */
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
  url: string
  /** The prefix of every channel. */
  prefix: string
  logger: Pick<Logger, 'info' | 'warn'>
}

const channels = ['log:report:work', 'log:delivery:work', 'relay:changes', 'relay:acknowledged']
const answerMs = 2_000
/** Limits the calls of listeners, because many processes may publish after each append. */
const notifyEveryMs = 5

/** @throws Error when Redis cannot be reached, or does not allow this user to subscribe. */
export async function openRedisPubSub({ url, prefix, logger }: RedisPubSubOptions): Promise<RedisPubSub> {
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
    const name = channel.slice(prefix.length)
    subscribers.get(name)?.(message)
    scheduleNotify(name)
  }

  /** The channels that were joined. */
  const joined = new Set<string>()

  /** If the connection is lost, the next one subscribes to all channels. */
  function change(step: 'subscribe' | 'unsubscribe', channel: string): void {
    const name = `${prefix}${channel}`
    void connection
      .run((client) => (step === 'subscribe' ? client.subscribe(name, receive) : client.unsubscribe(name)))
      .catch(() => {})
  }

  const connection = await openConnection({
    url,
    logger,
    greet: (client) =>
      client.subscribe(
        [...channels, ...joined].map((channel) => `${prefix}${channel}`),
        receive,
      ),
    answerMs,
  })

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
