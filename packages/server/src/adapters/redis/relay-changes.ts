/**
 * `RelayChanges` over Redis: sends a message to all processes; each process replies with a message.
 * Redis returns the number of processes that received the message; `announce` waits for the same number of replies.
 */
import { randomUUID } from 'node:crypto'
import type { RelayChanges } from '../../ports/storage/relay-changes.ts'
import type { RedisLink } from './link/link.ts'
import type { RedisPubSub } from './link/pub-sub.ts'

const changes = 'relay:changes'
const acknowledged = 'relay:acknowledged'
/**
 * Of the time that a call waits for Redis. It is safe to stop waiting for a process that hangs: it sends nothing now,
 * and reads the relay again before it sends.
 */
const maxWait = 0.5

interface PendingAnnouncement {
  answers: number
  /** Unknown until Redis answers. */
  expected: number
  resolve(): void
}

export function createRedisRelayChanges({ link, pubSub }: { link: RedisLink; pubSub: RedisPubSub }): RelayChanges {
  const listeners: ((queue: string) => void)[] = []
  const pending = new Map<string, PendingAnnouncement>()

  function finishIfAnswered({ answers, expected, resolve }: PendingAnnouncement): void {
    if (answers >= expected) resolve()
  }

  pubSub.subscribe(`${link.prefix}${changes}`, (message) => {
    const [id = '', queue = ''] = message.split('\n')
    for (const listener of listeners) listener(queue)
    // If this reply is lost, `announce` waits for its timeout.
    void link.publish(acknowledged, id).catch(() => {})
  })
  pubSub.subscribe(`${link.prefix}${acknowledged}`, (id) => {
    const announcement = pending.get(id)
    if (!announcement) return
    announcement.answers++
    finishIfAnswered(announcement)
  })

  return {
    listen: (listener) => void listeners.push(listener),
    async announce(queue) {
      const id = randomUUID()
      const { promise, resolve } = Promise.withResolvers<void>()
      const announcement: PendingAnnouncement = { answers: 0, expected: Number.POSITIVE_INFINITY, resolve }
      pending.set(id, announcement)
      const timer = setTimeout(resolve, link.answerMs * maxWait)
      try {
        announcement.expected = await link.publish(changes, `${id}\n${queue}`)
        finishIfAnswered(announcement)
        await promise
      } finally {
        clearTimeout(timer)
        pending.delete(id)
      }
    },
  }
}
