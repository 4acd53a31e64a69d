/**
 * `RelayChanges` over Redis: a message to all processes, and a message back from each of them.
 * Redis answers how many received it; `announce` waits for as many messages back.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import type { RelayChanges } from '../../ports/storage/relay-changes.ts'
import type { RedisLink } from './link/link.ts'
import type { RedisPubSub } from './link/pub-sub.ts'

/** Channels. */
const changes = 'relay:changes'
const heard = 'relay:heard'
/** A process that hangs sends no messages, and reads the relay before it sends the next one. */
const answerMs = 1_000

interface Asked {
  answers: number
  /** Unknown until Redis answers. */
  expected: number
  resolve(): void
}

export function createRedisRelayChanges({ link, pubSub }: { link: RedisLink; pubSub: RedisPubSub }): RelayChanges {
  const listeners: ((queue: string) => void)[] = []
  const asked = new Map<string, Asked>()

  const publish = (channel: string, message: string) =>
    link.connection.run((client) => client.publish(`${link.prefix}${channel}`, message))

  function settle(one: Asked | undefined): void {
    if (one && one.answers >= one.expected) one.resolve()
  }

  pubSub.subscribe(changes, (message) => {
    const [id = '', queue = ''] = message.split('\n')
    for (const listener of listeners) listener(queue)
    // Without this answer the process that announced waits for a second.
    void publish(heard, id).catch(() => {})
  })
  pubSub.subscribe(heard, (id) => {
    const one = asked.get(id)
    if (one) one.answers++
    settle(one)
  })

  return {
    listen: (listener) => void listeners.push(listener),
    async announce(queue) {
      const id = randomUUID()
      const { promise, resolve } = Promise.withResolvers<void>()
      const one: Asked = { answers: 0, expected: Number.POSITIVE_INFINITY, resolve }
      asked.set(id, one)
      const timer = setTimeout(resolve, answerMs)
      try {
        one.expected = await publish(changes, `${id}\n${queue}`)
        settle(one)
        await promise
      } catch (cause) {
        throw new ApiError('unavailable', 'The store did not take this; try again shortly', { cause })
      } finally {
        clearTimeout(timer)
        asked.delete(id)
      }
    },
  }
}
