/**
 * What processes tell each other: that a log may have something to lease, and what is announced of relays. A connection of
 * its own, since one that listens takes no other commands. No report depends on a note: who waits for one of a log also
 * asks from time to time.
 */
import type { Logger } from '../../../ports/logger.ts'
import { createWatchers } from '../../watchers.ts'
import { openConnection } from './connection.ts'

export interface RedisNotes {
  /** @returns The way to stop. */
  listen(channel: string, listener: () => void): () => void
  /** Each note, at once. The channel comes without the prefix. */
  hear(channel: string, listener: (note: string) => void): void
  close(): Promise<void>
}

export interface RedisNotesOptions {
  url: string
  /** Of all channels. */
  prefix: string
  logger: Pick<Logger, 'info' | 'warn'>
}

const ofLogs = ['log:report:notes', 'log:delivery:notes']
const ofRelays = ['relay:changes', 'relay:heard']
const answerMs = 2_000
/** Many processes tell of each group of reports; a listener hears of them so often. */
const tellEveryMs = 5

/** @throws Error when Redis cannot be reached, or does not let this user listen. */
export async function openRedisNotes({ url, prefix, logger }: RedisNotesOptions): Promise<RedisNotes> {
  const channels = new Map<string, ReturnType<typeof createWatchers>>()
  const told = new Set<string>()
  const hearers = new Map<string, (note: string) => void>()

  function tell(channel: string): void {
    if (told.has(channel) || !channels.has(channel)) return
    told.add(channel)
    setTimeout(() => {
      told.delete(channel)
      channels.get(channel)?.notify()
    }, tellEveryMs).unref()
  }

  const connection = await openConnection({
    url,
    logger,
    greet: (client) =>
      client.subscribe(
        [...ofLogs, ...ofRelays].map((channel) => `${prefix}${channel}`),
        (note, channel) => {
          hearers.get(channel)?.(note)
          tell(channel)
        },
      ),
    answerMs,
  })

  return {
    listen(channel, listener) {
      const watchers = channels.get(channel) ?? createWatchers()
      channels.set(channel, watchers)
      return watchers.watch(listener)
    },
    hear: (channel, listener) => void hearers.set(`${prefix}${channel}`, listener),
    close: () => connection.close(),
  }
}
