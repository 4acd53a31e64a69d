/**
 * The primaries of a Redis Cluster. In: addresses of some of its nodes. Out: commands run on the primary of their slot.
 * The table of slots is read from any node (CLUSTER SLOTS) each second, after failures, and corrected by MOVED. A
 * command that was answered with MOVED did not run, so it is sent to the other node. ASK is never followed, because the
 * script would also run on keys that have not moved yet: the caller gets the error until the slot has moved.
 */
import type { Logger } from '../../../ports/logger.ts'
import { toNodeUrl, toRedisAddress } from '../../../ports/storage/redis-addresses.ts'
import { type Connection, LateError, openConnection, type RedisClient } from './connection.ts'
import { greetNode, type RedisNodes } from './nodes.ts'

export interface ClusterNodes extends RedisNodes {
  /** The URL of the node that serves the slot, as last known. */
  findUrl(slot: number): string | undefined
  /** Calls `listener` when slots have other nodes than before. */
  watch(listener: () => void): void
  /** The URLs of all primaries, as last known. */
  primaries(): string[]
  /** Runs the command on one primary. */
  runOn<T>(url: string, command: (client: RedisClient) => Promise<T>): Promise<T>
}

export interface ClusterNodesOptions {
  urls: string[]
  logger: Pick<Logger, 'info' | 'warn'>
  answerMs: number
}

const refreshEveryMs = 1_000
/** After failures, the table is read at most this often. */
const refreshPauseMs = 100
/** A slot that moves again and again is left to the next call. */
const maxMoves = 3
/** A command that has less time left is not sent: an answer that comes too late closes the connection. */
const leastAnswerMs = 100

/** Of CLUSTER SLOTS. */
export type SlotRange = [
  first: number,
  last: number,
  primary: [host: string | null, port: number],
  ...replicas: [string, number][],
]

/** @throws Error when no node answers, or none is in a cluster that works. */
export async function openClusterNodes({ urls, logger, answerMs }: ClusterNodesOptions): Promise<ClusterNodes> {
  const [anyUrl = ''] = urls
  const connections = new Map<string, Promise<Connection>>()
  const listeners: (() => void)[] = []
  let owners: (string | undefined)[] = []
  let replicas: string[] = []
  let refreshing: Promise<void> | undefined
  let refreshedAtMs = Number.NEGATIVE_INFINITY
  let asked = 0

  function connect(url: string): Promise<Connection> {
    let connection = connections.get(url)
    if (!connection) {
      const node = toRedisAddress(url)
      connection = openConnection({
        urls: () => [url],
        logger: {
          info: (fields, message) => logger.info({ ...fields, node }, message),
          warn: (fields, message) => logger.warn({ ...fields, node }, message),
        },
        greet: greetNode,
        answerMs,
      })
      connections.set(url, connection)
      connection.catch(() => connections.delete(url))
    }
    return connection
  }

  function primaries(): string[] {
    return [...new Set(owners.filter((owner) => owner !== undefined))]
  }

  /** Nodes to ask for the table. Each time another one is first, because one may be cut off from the others. */
  function candidates(): string[] {
    const known = primaries()
    const next = known.length === 0 ? 0 : asked++ % known.length
    return [...new Set([...known.slice(next), ...known.slice(0, next), ...replicas, ...urls])]
  }

  function refresh(): Promise<void> {
    refreshing ??= readTable().finally(() => {
      refreshedAtMs = performance.now()
      refreshing = undefined
    })
    return refreshing
  }

  async function readTable(): Promise<void> {
    let failure: unknown
    for (const url of candidates()) {
      try {
        takeTable(await askNode(url), url)
        return
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  async function askNode(url: string): Promise<SlotRange[]> {
    const ask = async (client: RedisClient) => {
      const [info, slots] = await Promise.all([
        client.sendCommand<string>(['CLUSTER', 'INFO']),
        client.sendCommand<SlotRange[]>(['CLUSTER', 'SLOTS']),
      ])
      // A node that is cut off from most others has an old table.
      if (!info.includes('cluster_state:ok')) throw new Error(`CLUSTERDOWN as "${toRedisAddress(url)}" sees it`)
      return slots
    }
    if (primaries().includes(url)) return (await connect(url)).run(ask)
    const connection = await openConnection({ urls: () => [url], logger: silent, greet: async () => {}, answerMs })
    try {
      return await connection.run(ask)
    } finally {
      await connection.close()
    }
  }

  /** @param from The node that answered: it may not know the name by which it is reached. */
  function takeTable(ranges: SlotRange[], from: string): void {
    const toUrl = ([host, port]: [host: string | null, port: number]) =>
      toNodeUrl(anyUrl, host || new URL(from).hostname, port)
    const before = owners
    owners = []
    replicas = []
    for (const [first, last, primary, ...others] of ranges) {
      for (let slot = first; slot <= last; slot++) owners[slot] = toUrl(primary)
      replicas.push(...others.map(toUrl))
    }
    if (isSameTable(before, owners)) return
    const kept = new Set(primaries())
    for (const [url, connection] of connections) if (!kept.has(url)) close(url, connection)
    tellListeners()
  }

  function tellListeners(): void {
    for (const listener of listeners) listener()
  }

  function close(url: string, connection: Promise<Connection>): void {
    connections.delete(url)
    connection.then((opened) => opened.close()).catch(() => {})
  }

  /** After a failure: the slot may have another node by now. */
  function refreshSoon(): void {
    if (performance.now() - refreshedAtMs > refreshPauseMs) refresh().catch(() => {})
  }

  async function run<T>(slot: number, command: (client: RedisClient) => Promise<T>, withinMs = answerMs): Promise<T> {
    const endsAtMs = performance.now() + withinMs
    for (let moves = 0; ; moves++) {
      const url = owners[slot]
      try {
        if (url === undefined) throw new Error(`No node of the cluster serves slot ${slot}`)
        const connection = await inTime(connect(url), endsAtMs, url)
        return await connection.run(command, Math.max(leastAnswerMs, endsAtMs - performance.now()))
      } catch (error) {
        refreshSoon()
        const movedTo = toMoved(error)
        if (movedTo === undefined || moves === maxMoves || endsAtMs - performance.now() < leastAnswerMs) throw error
        const [, host = '', port = ''] = movedTo
        const next = toNodeUrl(anyUrl, host || new URL(url ?? anyUrl).hostname, port)
        if (owners[slot] === next) continue
        owners[slot] = next
        tellListeners()
      }
    }
  }

  await refresh()
  const timer = setInterval(() => refresh().catch(() => {}), refreshEveryMs).unref()

  return {
    run,
    findUrl: (slot) => owners[slot],
    watch: (listener) => void listeners.push(listener),
    primaries,
    runOn: async (url, command) => (await connect(url)).run(command),
    async close() {
      clearInterval(timer)
      await refreshing?.catch(() => {})
      await Promise.all([...connections.values()].map((opened) => opened.then((one) => one.close()).catch(() => {})))
    },
  }
}

const silent = { info: () => {}, warn: () => {} }

function isSameTable(one: (string | undefined)[], other: (string | undefined)[]): boolean {
  return Array.from(one).every((owner, slot) => owner === other[slot]) && one.length === other.length
}

/** A node that hangs accepts a connection and then does not answer. */
async function inTime<T>(opening: Promise<T>, endsAtMs: number, url: string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new LateError(`No connection to "${toRedisAddress(url)}" in time`)),
    Math.max(0, endsAtMs - performance.now()),
  )
  try {
    return await Promise.race([opening, late])
  } finally {
    clearTimeout(timer)
  }
}

/** `MOVED <slot> <host>:<port>`; the host may be empty, and an IPv6 address has colons. */
function toMoved(error: unknown): RegExpExecArray | undefined {
  return (error instanceof Error && /^MOVED \d+ (.*):(\d+)$/.exec(error.message)) || undefined
}
