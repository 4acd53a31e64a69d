/**
 * An operator outgrows one Redis: checks it, moves everything to a cluster with `posrep-server redis migrate`, and
 * starts the server there. Reports, deliveries, sign-ins and revocations go on as if nothing had happened.
 */
import { join } from 'node:path'
import { createClient } from '@posrep/client-sdk'
import { expect } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor, type Sensor } from '../parts/a-sensor.ts'
import { signIn } from '../parts/a-user.ts'
import { startRedisCluster } from '../parts/redis-cluster.ts'
import { startRedis } from '../parts/redis-process.ts'
import { testWith } from '../parts/requirements.ts'
import { deviceUrnOf, seedWith, someLocalIds } from '../parts/seed.ts'
import { aServerLocation, runToEnd, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { createRandom } from '../soak/random.ts'
import { aRecorder } from '../soak/recorder.ts'

const localIds = someLocalIds(6)

testWith('redis-server', 'moving from one Redis to a cluster')(
  'a deployment moves from one Redis to a cluster without a lost report, sign-in or revocation',
  async () => {
    const redis = await startRedis()
    const cluster = await startRedisCluster()
    const location = await aServerLocation(seedWith(localIds.length))
    const own = ['--seed', join(location.folder, 'seed.json'), '--allow-private-relays', '--log-level', 'warn']
    const start = (...flags: string[]) => startServer(location, ...own, ...flags)
    const onCluster = ['--redis', cluster.url, '--redis-replicas', '1']
    const migrate = () => runToEnd(['redis', 'migrate', '--from', redis.url, ...onCluster])
    let server = await start('--redis', redis.url)
    trust(server.certificate.ca)
    const recorder = await aRecorder({ certificate: server.certificate, random: createRandom(1), troubled: 0 })
    try {
      const session = await signIn(server)
      const { authOrigin, ingestOrigin, uiOrigin } = server.ready
      const user = createClient({ authOrigin, ingestOrigin, uiOrigin, session })
      const toSensor = (localId: string) => aSensor({ origin: ingestOrigin, ca: server.certificate.ca, localId })
      const sensors = await Promise.all(localIds.map(toSensor))
      for (const localId of localIds)
        await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })
      // Of each device, the relay has seen the first message, and others wait behind it.
      recorder.answering(() => 503)
      await submit(sensors, [1, 2, 3])
      await until('the relay has seen a message of each', async () => recorder.counts.first === localIds.length)
      await until('nothing waits for the pipeline', async () => (await waiting(server, 'report')) === 0)
      const revoked = await toSensor('roof1')
      await user.revokeDeviceTokens(deviceUrnOf('roof1'))
      await until('the token is void', async () => (await revoked.submit(aReportText('roof1:0'))).status === 401)

      expect(await migrate()).toMatchObject({ code: 1, stderr: expect.stringContaining('stop them first') })
      await server.stop()
      // Without a worker, reports stay in the log.
      server = await start('--redis', redis.url, '--roles', 'identity,ingest,ui')
      await submit(sensors.slice(1), [4, 5, 6])
      await server.stop()

      const moved = await migrate()
      expect(moved).toMatchObject({ code: 0, stderr: '' })
      expect(moved.stdout).toMatch(/^15 +reports that wait$/m)
      expect(moved.stdout).toMatch(/^18 +deliveries that wait$/m)

      await expect(start('--redis', redis.url)).rejects.toThrow('its data was moved to a cluster')
      recorder.answering(() => 204)
      server = await start(...onCluster)
      expect((await revoked.submit(aReportText('roof1:0'))).status).toBe(401)
      await submit(sensors.slice(1), [7])
      await until('every report has arrived', async () =>
        sensors.every(({ localId }) => recorder.received(localId).size === (localId === 'roof1' ? 3 : 7)),
      )
      expect(recorder.violations).toEqual([])
      expect(recorder.counts).toMatchObject({ first: 3 + 5 * 7, repeated: expect.any(Number) })
      expect(recorder.counts.repeated).toBeGreaterThanOrEqual(localIds.length)

      await session.refresh(await session.getAccessToken())
      const recent = await user.listRecentReports(deviceUrnOf('roof2'))
      expect(recent.data).toHaveLength(7)
      expect(await server.stop()).toBe(0)

      expect((await runToEnd(['redis', 'check', ...onCluster])).stderr).toContain('its memory has no limit')
      for (const node of cluster.nodes) await node.command('CONFIG SET maxmemory 100mb')
      const checked = await runToEnd(['redis', 'check', ...onCluster, '--sensors', '10'])
      expect(checked).toMatchObject({ code: 0, stderr: '' })
      expect(checked.stdout).toContain('a cluster of 3 primaries, 3 replicas')
      expect(checked.stdout).toContain('Data of schema 1 in 64 partitions')
      expect(JSON.parse((await runToEnd(['redis', 'check', ...onCluster, '--json'])).stdout)).toMatchObject({
        cluster: true,
        partitions: 64,
        problems: [],
      })
    } finally {
      recorder.stop()
      await server.kill()
      await Promise.all([redis.stop(), cluster.stop()])
      await location.remove()
    }
  },
)

/** Each sensor sends its reports in order. */
async function submit(sensors: Sensor[], numbers: number[]): Promise<void> {
  for (const number of numbers) {
    const answers = await Promise.all(sensors.map((one) => one.submit(aReportText(`${one.localId}:${number}`))))
    expect(answers.map(({ status }) => status)).toEqual(sensors.map(() => 202))
  }
}

async function waiting({ ready }: ServerProcess, log: string): Promise<number> {
  const text = await (await fetch(`${ready.origin}/metrics`)).text()
  return Number(new RegExp(`posrep_log_waiting\\{log="${log}"\\} (\\d+)`).exec(text)?.[1] ?? Number.NaN)
}
