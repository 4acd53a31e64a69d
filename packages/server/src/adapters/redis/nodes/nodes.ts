/**
 * The nodes of a deployment: one Redis, or the primaries of a cluster. What is learned of a node with each new
 * connection.
 */
import type { Connection, RedisClient } from './connection.ts'
import { hasShardedMessages, toInfo } from './info.ts'

export interface RedisNodes {
  /**
   * Runs the command on the node that serves the slot.
   * @throws Error as `Connection.run`, and when the slot has no node, or is moving to another one
   */
  run<T>(slot: number, command: (client: RedisClient) => Promise<T>, answerMs?: number): Promise<T>
  close(): Promise<void>
}

export function toSingleNode(connection: Connection): RedisNodes {
  return {
    run: (_, command, answerMs) => connection.run(command, answerMs),
    close: () => connection.close(),
  }
}

interface NodeState {
  /** Redis' clock minus ours. It may be too low, by at most one round trip, so a deadline is never too late. */
  aheadMs: number
  /** Changes when Redis restarts (`run_id`), and when a replica takes over (`master_replid`). */
  identity: string
  hasShardedMessages: boolean
}

const states = new WeakMap<RedisClient, NodeState>()

/**
 * Runs on each new connection.
 * @throws Error on a replica, and while Redis loads its data. The caller connects again: the address may soon lead to a
 * primary.
 */
export async function greetNode(client: RedisClient): Promise<void> {
  const info = toInfo(await client.info())
  const role = info.get('role')
  if (role !== 'master') throw new Error(`it is a replica (role "${role}"); use the primary`)
  if (info.get('loading') === '1') throw new Error('LOADING Redis is loading its data from disk')
  states.set(client, {
    aheadMs: await readAheadMs(client),
    identity: `${info.get('run_id')} ${info.get('master_replid')}`,
    hasShardedMessages: hasShardedMessages(info),
  })
}

export async function compareClocks(client: RedisClient): Promise<void> {
  stateOf(client).aheadMs = await readAheadMs(client)
}

export function stateOf(client: RedisClient): NodeState {
  const state = states.get(client)
  if (!state) throw new Error('The connection was not greeted')
  return state
}

async function readAheadMs(client: RedisClient): Promise<number> {
  const [seconds, microseconds] = await client.sendCommand<string[]>(['TIME'])
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000 - performance.now()
}
