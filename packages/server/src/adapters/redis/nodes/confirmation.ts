/**
 * Waits until replicas have a write (`--redis-replicas`). In: the connection that wrote, after the reply to the script.
 * Out: resolves when enough replicas have confirmed everything that the connection wrote up to then.
 * Writes that are answered while one WAIT is in flight share the next one, because WAIT blocks its connection.
 */
import { createBatch } from '../../../concurrency/batch.ts'
import type { RedisClient } from './connection.ts'

/** Of the time that a caller waits: two of them, and the script, fit into it. */
const maxConfirm = 0.25

/** @throws Error when too few replicas have confirmed in time; the write may still take effect. */
export type Confirm = (client: RedisClient) => Promise<void>

export function createConfirm({ replicas, answerMs }: { replicas: number; answerMs: number }): Confirm {
  if (replicas === 0) return async () => {}
  const confirmMs = Math.round(answerMs * maxConfirm)
  // Only the connection that wrote may ask: for another one, WAIT has nothing to wait for. A client never connects
  // again.
  const waits = new WeakMap<RedisClient, (call: undefined) => Promise<void>>()

  async function wait(client: RedisClient): Promise<void> {
    const confirmed = Number(await client.sendCommand(['WAIT', String(replicas), String(confirmMs)]))
    if (confirmed >= replicas) return
    throw new Error(`${confirmed} of ${replicas} replicas have confirmed the write within ${confirmMs} ms`)
  }

  return (client) => {
    const known = waits.get(client)
    if (known) return known(undefined)
    const added = createBatch<undefined>({ run: () => wait(client), isSerial: true })
    waits.set(client, added)
    return added(undefined)
  }
}
