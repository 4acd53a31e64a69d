/**
 * Two server processes on a Redis Cluster, with `--redis-replicas 1`, under load, while nodes fail and slots move. What
 * a relay receives is compared with what was answered 202.
 */
import { expect } from 'vitest'
import { until } from '../../../testing/real-time.ts'
import { aSensor } from '../../parts/a-sensor.ts'
import { aUser } from '../../parts/a-user.ts'
import { type RedisClusterProcesses, startRedisCluster } from '../../parts/redis-cluster.ts'
import type { RedisProcess } from '../../parts/redis-process.ts'
import { testWith } from '../../parts/requirements.ts'
import { deviceUrnOf, someLocalIds } from '../../parts/seed.ts'
import { trust } from '../../parts/trust.ts'
import { aDeployment } from '../../soak/deployment.ts'
import { createRandom } from '../../soak/random.ts'
import { aRecorder } from '../../soak/recorder.ts'
import { missing, submitOneByOne } from '../../soak/submissions.ts'

const localIds = someLocalIds(12)

/** Two processes under load. `work` gets a function that waits until reports of every device arrive. */
function fact(
  name: string,
  work: (cluster: RedisClusterProcesses, untilAllGoOn: () => Promise<void>) => Promise<void>,
) {
  testWith('redis-server', 'a Redis Cluster whose nodes fail')(name, async () => {
    const cluster = await startRedisCluster()
    const deployment = await aDeployment({ sensors: localIds.length, redis: false, cluster })
    const { first, origins } = deployment
    trust(first.certificate.ca)
    const recorder = await aRecorder({ certificate: first.certificate, random: createRandom(1), troubled: 0 })
    try {
      const sensors = await Promise.all(
        localIds.map((localId) => aSensor({ origin: origins[0] ?? '', ca: first.certificate.ca, localId })),
      )
      const user = await aUser(first)
      for (const localId of localIds)
        await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })
      const stopping = new AbortController()
      const running = sensors.map((sensor) => submitOneByOne(sensor, origins, stopping.signal))
      const last = (localId: string) => Math.max(0, ...recorder.received(localId))
      const untilAllGoOn = async () => {
        const before = localIds.map(last)
        await until('reports of every device arrive', async () =>
          localIds.every((localId, n) => last(localId) > (before[n] ?? 0)),
        )
      }
      await untilAllGoOn()

      await work(cluster, untilAllGoOn)

      stopping.abort()
      const accepted = await Promise.all(running)
      for (const sensor of sensors) sensor.close()
      await until('every report has arrived', async () => missing(accepted, recorder).length === 0)
      expect(recorder.violations).toEqual([])
      expect(await deployment.stop()).toEqual([0, 0])
    } finally {
      recorder.stop()
      await deployment.remove()
      await cluster.stop()
    }
  })
}

fact(
  'no accepted report is lost with a primary that is killed, or hangs, or restarts',
  async (cluster, untilAllGoOn) => {
    const [killed, hung] = cluster.nodes
    await killed?.kill()
    await until('its replica has taken over', () => isPrimary(cluster.nodes[3]))
    await killed?.restart()
    await cluster.untilWhole()
    await untilAllGoOn()

    await hung?.hang()
    await until('its replica has taken over', () => isPrimary(cluster.nodes[4]))
    await hung?.resume()
    await cluster.untilWhole()
    await untilAllGoOn()

    for (const node of cluster.nodes) {
      await node.kill()
      await node.restart()
      await cluster.untilWhole()
    }
    await untilAllGoOn()
  },
)

fact(
  'no accepted report is lost while slots move between nodes',
  async ({ nodes, untilWhole, manage }, untilAllGoOn) => {
    const [from, to] = nodes
    const idOf = async (node: RedisProcess | undefined) => String(await node?.command('CLUSTER MYID'))
    const ends = ['--cluster-from', await idOf(from), '--cluster-to', await idOf(to)]
    await manage('reshard', ...ends, '--cluster-slots', '600')
    await untilWhole()
    await untilAllGoOn()
    await manage('rebalance', '--cluster-threshold', '1')
    await untilWhole()
    await untilAllGoOn()
  },
)

fact(
  'no accepted report is lost while a node is added and removed',
  async ({ untilWhole, addPrimary }, untilAllGoOn) => {
    const { remove } = await addPrimary()
    await untilAllGoOn()
    await remove()
    await untilWhole()
    await untilAllGoOn()
  },
)

async function isPrimary(node: RedisProcess | undefined): Promise<boolean> {
  return (await node?.command('INFO replication'))?.includes('role:master') ?? false
}
