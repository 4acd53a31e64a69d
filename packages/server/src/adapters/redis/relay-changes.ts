/**
 * `RelayChanges` over Redis: a note to all processes, and a note back from each of them.
 * Redis says how many have got it; so many answers are waited for.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import type { RelayChanges } from '../../ports/relay-changes.ts'
import type { RedisLink } from './link/link.ts'
import type { RedisNotes } from './link/notes.ts'

/** Their notes, without the prefix. */
const changes = 'relay:changes'
const heard = 'relay:heard'
/** One that hangs sends nothing either, and looks where the relay is before it does so again. */
const answerMs = 1_000

interface Asked {
  answers: number
  /** Unknown until Redis has said it. */
  expected: number
  resolve(): void
}

export function createRedisRelayChanges({ link, notes }: { link: RedisLink; notes: RedisNotes }): RelayChanges {
  const listeners: ((queue: string) => void)[] = []
  const asked = new Map<string, Asked>()

  const publish = (channel: string, note: string) =>
    link.connection.run((client) => client.publish(`${link.prefix}${channel}`, note))

  function settle(one: Asked | undefined): void {
    if (one && one.answers >= one.expected) one.resolve()
  }

  notes.hear(changes, (note) => {
    const [id = '', queue = ''] = note.split('\n')
    for (const listener of listeners) listener(queue)
    // Without an answer whoever asked waits for a second.
    void publish(heard, id).catch(() => {})
  })
  notes.hear(heard, (id) => {
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
