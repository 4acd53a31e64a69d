/** A real Redis Cluster for tests: three primaries, each with a replica if asked for, on free ports. */
import { vi } from 'vitest'
import { findFreePort } from '../../../../../testing/free-port.ts'
import { aRedisServer, type CertificateFiles, durable, type RedisServer, removeKeys } from './redis-server.ts'

export interface RedisCluster {
  /** Of all primaries, as for `--redis`. */
  url: string
  primaries: RedisServer[]
  /** The replica of each primary, in the same order. */
  replicas: RedisServer[]
  /** Removes the keys below `prefix` from all nodes. */
  removeKeys(prefix: string): Promise<void>
}

export interface RedisClusterOptions {
  withReplicas?: boolean
  /** Default: durable, as `--redis-durability always` needs it. */
  persistence?: string[]
  tls?: CertificateFiles
}

const slotCount = 16_384
/** After this time without an answer of a primary, its replica takes over. */
const nodeTimeoutMs = 2_000

export async function aRedisCluster({
  withReplicas = false,
  persistence = durable,
  tls,
}: RedisClusterOptions = {}): Promise<RedisCluster> {
  const addNode = () => aNode(persistence, tls)
  const primaries = await Promise.all([1, 2, 3].map(addNode))
  const replicas = withReplicas ? await Promise.all(primaries.map(addNode)) : []
  const [first, ...others] = [...primaries, ...replicas]
  if (!first) throw new Error('A cluster has nodes')

  await Promise.all(primaries.map(({ server }, n) => server.command('CLUSTER', 'SET-CONFIG-EPOCH', String(n + 1))))
  await Promise.all(
    primaries.map(({ server }, n) => {
      const [from, to] = [n, n + 1].map((part) => Math.round((part * slotCount) / primaries.length))
      return server.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(Number(to) - 1))
    }),
  )
  for (const { server, busPort } of others) {
    await first.server.command('CLUSTER', 'MEET', '127.0.0.1', String(server.port), String(busPort))
  }
  const nodes = [first, ...others].map(({ server }) => server)
  const knows = (server: RedisServer) =>
    server.command('CLUSTER', 'NODES').then((text) => String(text).trim().split('\n'))
  for (const server of nodes) {
    await vi.waitFor(async () => {
      const known = await knows(server)
      if (known.length < nodes.length || known.some((line) => line.includes('handshake'))) throw new Error('not met')
    }, soon)
  }
  await Promise.all(
    replicas.map(async ({ server }, n) => {
      const id = await primaries[n]?.server.command('CLUSTER', 'MYID')
      await server.command('CLUSTER', 'REPLICATE', String(id))
      await vi.waitFor(async () => {
        if (!String(await server.command('INFO', 'replication')).includes('master_link_status:up'))
          throw new Error('down')
      }, soon)
    }),
  )
  for (const server of nodes) await vi.waitFor(() => checkState(server, withReplicas), soon)
  const url = `${tls ? 'rediss' : 'redis'}://${primaries.map(({ server }) => `127.0.0.1:${server.port}`).join(',')}`
  return {
    url,
    primaries: primaries.map(({ server }) => server),
    replicas: replicas.map(({ server }) => server),
    async removeKeys(prefix) {
      for (const { server } of primaries) await removeKeys(server.url, prefix)
    },
  }
}

const soon = { interval: 20 }

async function checkState(server: RedisServer, withReplicas: boolean): Promise<void> {
  if (!String(await server.command('CLUSTER', 'INFO')).includes('cluster_state:ok')) throw new Error('not ok')
  // The answer of CLUSTER SLOTS: first and last slot, then the nodes.
  const ranges = (await server.command('CLUSTER', 'SLOTS')) as unknown[][]
  if (withReplicas && ranges.some((range) => range.length < 4)) throw new Error('a primary has no replica yet')
}

async function aNode(
  persistence: string[],
  tls: CertificateFiles | undefined,
): Promise<{ server: RedisServer; busPort: number }> {
  const busPort = await findFreePort()
  const cluster = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]
  const failOver = ['--cluster-node-timeout', String(nodeTimeoutMs), '--cluster-require-full-coverage', 'no']
  const quick = ['--repl-diskless-sync-delay', '0']
  const settings = [...persistence, ...cluster, ...failOver, ...quick]
  return { server: await aRedisServer({ settings, ...(tls && { tls }) }), busPort }
}
