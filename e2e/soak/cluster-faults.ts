/**
 * What happens to a Redis Cluster and to the processes on it, one fault after the other.
 * In: the cluster, its deployment, and random choices. Out: each call lets one thing happen, and returns when the
 * cluster is whole again. Every fault of the list comes once before one comes again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../../testing/real-time.ts'
import type { RedisClusterProcesses } from '../parts/redis-cluster.ts'
import type { RedisProcess } from '../parts/redis-process.ts'
import type { Deployment } from './deployment.ts'
import type { Random } from './random.ts'

export interface ClusterFaults {
  /** Returns what has happened. */
  next(): Promise<string>
  /** Waits for a server that is suspended, and resumes it. */
  end(): Promise<void>
}

export interface ClusterFaultsOptions {
  cluster: RedisClusterProcesses
  deployment: Deployment
  random: Random
}

/** Longer than the longest lease, that of deliveries. */
const beyondLeasesMs = 62_000
const slotsThatMove = 400

export function createClusterFaults({ cluster, deployment, random }: ClusterFaultsOptions): ClusterFaults {
  let suspended: { index: number; resumed: Promise<void> } | undefined
  let left: [string, () => Promise<void>][] = []

  async function losePrimary(lose: (node: RedisProcess) => Promise<void>, bringBack: (node: RedisProcess) => unknown) {
    const primaries = await cluster.findPrimaries()
    const lost = pick(primaries)
    await lose(lost)
    const others = cluster.nodes.filter((node) => node !== lost)
    await until(
      'a replica has taken over',
      async () => (await cluster.findPrimaries(others)).length === primaries.length,
    )
    await sleep(random.whole(0, 1_000))
    await bringBack(lost)
  }

  async function moveSlots(): Promise<void> {
    const primaries = await cluster.findPrimaries()
    const from = pick(primaries)
    const to = pick(primaries.filter((node) => node !== from))
    const [fromId, toId] = [await from.command('CLUSTER MYID'), await to.command('CLUSTER MYID')]
    const slots = ['--cluster-slots', String(slotsThatMove)]
    await cluster.manage('reshard', '--cluster-from', fromId, '--cluster-to', toId, ...slots)
    await cluster.manage('rebalance', '--cluster-threshold', '1')
  }

  async function restartAll(): Promise<void> {
    for (const node of cluster.nodes) {
      await node.kill()
      await node.restart()
      await cluster.untilWhole()
    }
  }

  /** Never the only one that works. */
  async function killServer(): Promise<void> {
    const running = deployment.origins.map((_, index) => index).filter((index) => index !== suspended?.index)
    const index = pick(running)
    await deployment.restart(index)
    await deployment.ready(index)
  }

  /** Other faults go on meanwhile. Never the first: people sign in there. */
  async function suspendServer(): Promise<void> {
    await suspended?.resumed
    const index = random.whole(1, deployment.origins.length - 1)
    const { pid } = (await deployment.ready(index)).ready
    process.kill(pid, 'SIGSTOP')
    const resume = async () => {
      await sleep(beyondLeasesMs)
      process.kill(pid, 'SIGCONT')
      suspended = undefined
    }
    suspended = { index, resumed: resume() }
  }

  const faults: [string, () => Promise<void>][] = [
    ['a server is suspended for longer than a lease', suspendServer],
    [
      'a primary is killed',
      () =>
        losePrimary(
          (node) => node.kill(),
          (node) => node.restart(),
        ),
    ],
    [
      'a primary is suspended until a replica has taken over',
      () =>
        losePrimary(
          (node) => node.hang(),
          (node) => node.resume(),
        ),
    ],
    ['slots move', moveSlots],
    ['a server is killed', killServer],
    ['a node is added and removed', async () => (await cluster.addPrimary()).remove()],
    ['all nodes are restarted', restartAll],
  ]

  function pick<T>(among: T[]): T {
    const one = among[random.whole(0, among.length - 1)]
    if (one === undefined) throw new Error('There is nothing to choose from')
    return one
  }

  return {
    async next() {
      // A suspended server comes first, so that the others happen meanwhile.
      if (left.length === 0) left = [...faults.slice(0, 1), ...shuffled(faults.slice(1), random)]
      const [name, happen] = left.shift() ?? ['nothing', async () => {}]
      await happen()
      await cluster.untilWhole()
      return name
    },
    end: async () => suspended?.resumed,
  }
}

function shuffled<T>(list: T[], random: Random): T[] {
  const left = [...list]
  return list.flatMap(() => left.splice(random.whole(0, left.length - 1), 1))
}
