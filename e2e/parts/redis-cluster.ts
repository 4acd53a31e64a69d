/** A Redis Cluster of three primaries, each with a replica, that tests can kill, suspend and restart node by node. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { until } from '../../testing/real-time.ts'
import { type RedisProcess, redisBinary, startRedis } from './redis-process.ts'
import { aServerLocation } from './server-process.ts'

export interface RedisClusterProcesses {
  /** Of all nodes, as for `--redis`. */
  url: string
  /** The three first primaries, then the replica of each in the same order. */
  nodes: RedisProcess[]
  /** The nodes that are primaries now. Those that do not run, or hang, must not be asked. */
  findPrimaries(asked?: RedisProcess[]): Promise<RedisProcess[]>
  /** Waits until the cluster works and each primary has a replica. */
  untilWhole(): Promise<void>
  /** `redis-cli --cluster`, with a node of the cluster; it asks nothing. */
  manage(command: string, ...options: string[]): Promise<void>
  /** Starts a primary with a replica, and moves slots to it. The function that is returned moves them back. */
  addPrimary(): Promise<{ remove(): Promise<void> }>
  stop(): Promise<void>
}

const slotCount = 16_384
const primaryCount = 3
/** A replica takes over from a primary that has not answered for this long. */
const nodeTimeoutMs = 2_000
/** How often slots are moved until it succeeds. */
const maxMoves = 10

/** The client beside the server's binary. */
const redisCli = redisBinary.replace('server', 'cli')
const run = promisify(execFile)

export async function startRedisCluster(): Promise<RedisClusterProcesses> {
  const locations = await Promise.all(Array.from({ length: 2 * primaryCount }, () => aServerLocation()))
  const nodes = await Promise.all(locations.map(({ port }) => startRedis(toSettings(port))))
  const primaries = nodes.slice(0, primaryCount)
  /** Ends what `addPrimary` has started: a test that fails does not remove it. */
  const added: (() => Promise<void>)[] = []
  const [first, ...others] = nodes
  if (!first) throw new Error('A cluster has nodes')

  for (const [n, node] of primaries.entries()) {
    const [from, to] = [n, n + 1].map((part) => Math.round((part * slotCount) / primaryCount))
    await node.command(`CLUSTER SET-CONFIG-EPOCH ${n + 1}`)
    await node.command(`CLUSTER ADDSLOTSRANGE ${from} ${Number(to) - 1}`)
  }
  for (const [n, node] of others.entries()) {
    await first.command(`CLUSTER MEET 127.0.0.1 ${node.port} ${locations[n + 1]?.port}`)
  }
  await until('the nodes have met', async () => (await Promise.all(nodes.map(hasMet))).every(Boolean))
  for (const [n, node] of nodes.slice(primaryCount).entries()) {
    await node.command(`CLUSTER REPLICATE ${await primaries[n]?.command('CLUSTER MYID')}`)
  }

  async function hasMet(node: RedisProcess): Promise<boolean> {
    const known = (await node.command('CLUSTER NODES')).trim().split('\n')
    return known.length === nodes.length && !known.some((line) => line.includes('handshake'))
  }

  async function isWhole(node: RedisProcess): Promise<boolean> {
    const [state, replication] = await Promise.all([node.command('CLUSTER INFO'), node.command('INFO replication')])
    const isAttached = replication.includes('role:master')
      ? /connected_slaves:[1-9]/.test(replication)
      : replication.includes('master_link_status:up')
    return state.includes('cluster_state:ok') && isAttached
  }

  async function untilWhole(): Promise<void> {
    await until('the cluster is whole', async () => (await Promise.all(nodes.map(isWhole))).every(Boolean))
  }

  async function findPrimaries(asked = nodes): Promise<RedisProcess[]> {
    const replies = await Promise.all(asked.map((node) => node.command('INFO replication')))
    return asked.filter((_, n) => replies[n]?.includes('role:master'))
  }

  /**
   * After each change the nodes need a moment until they agree; until then redis-cli refuses the next one. Where a node
   * of a busy machine is too slow, slots stay half way: redis-cli says to call `fix`, and to move them again.
   */
  async function manage(command: string, ...options: string[]): Promise<void> {
    const known = `127.0.0.1:${nodes[0]?.port}`
    const own = command === 'add-node' ? options : [known, ...options, '--cluster-yes']
    for (let attempt = 1; ; attempt++) {
      await until('the nodes agree', () => isDone(redisCli, '--cluster', 'check', known))
      try {
        await run(redisCli, ['--cluster', command, ...own])
        return
      } catch (cause) {
        if (attempt === maxMoves || !['reshard', 'rebalance'].includes(command)) {
          const said = cause instanceof Error && 'stdout' in cause ? cause.stdout : cause
          throw new Error(`redis-cli --cluster ${command} failed: ${said}`, { cause })
        }
        await isDone(redisCli, '--cluster', 'fix', known, '--cluster-yes')
      }
    }
  }

  async function addPrimary(): Promise<{ remove(): Promise<void> }> {
    const places = await Promise.all([1, 2].map(() => aServerLocation()))
    const [primary, replica] = await Promise.all(places.map(({ port }) => startRedis(toSettings(port))))
    added.push(
      ...places.map(({ remove }) => remove),
      ...[primary, replica].flatMap((node) => (node ? [node.stop] : [])),
    )
    if (!primary || !replica) throw new Error('Two nodes were started')
    const known = `127.0.0.1:${nodes[0]?.port}`
    await manage('add-node', `127.0.0.1:${primary.port}`, known)
    const id = await primary.command('CLUSTER MYID')
    await until('the nodes know the primary', async () =>
      (await Promise.all(nodes.map((node) => knows(node, id)))).every(Boolean),
    )
    await manage('add-node', `127.0.0.1:${replica.port}`, known, '--cluster-slave', '--cluster-master-id', id)
    const replicaId = await replica.command('CLUSTER MYID')
    await until('its replica is attached', async () =>
      (await replica.command('INFO replication')).includes('master_link_status:up'),
    )
    await manage('rebalance', '--cluster-use-empty-masters')
    return {
      async remove() {
        await manage('rebalance', '--cluster-weight', `${id}=0`)
        await manage('del-node', replicaId)
        await manage('del-node', id)
        await Promise.all(added.splice(0).map((end) => end()))
      },
    }
  }

  async function knows(node: RedisProcess, id: string): Promise<boolean> {
    return (await node.command('CLUSTER NODES'))
      .split('\n')
      .some((line) => line.startsWith(id) && !line.includes('handshake'))
  }

  await untilWhole()
  return {
    url: `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    findPrimaries,
    untilWhole,
    manage,
    addPrimary,
    async stop() {
      await Promise.all([...nodes.map((node) => node.stop()), ...added.map((end) => end())])
      await Promise.all(locations.map(({ remove }) => remove()))
    },
  }
}

async function isDone(command: string, ...options: string[]): Promise<boolean> {
  return run(command, options).then(
    () => true,
    () => false,
  )
}

function toSettings(busPort: number): string[] {
  return [
    ...['--cluster-enabled', 'yes', '--cluster-port', String(busPort)],
    ...['--cluster-node-timeout', String(nodeTimeoutMs), '--cluster-require-full-coverage', 'no'],
    ...['--repl-diskless-sync-delay', '0'],
    // A replica that a busy machine lets wait for longer than 30 s would not take over.
    ...['--cluster-replica-validity-factor', '0'],
  ]
}
