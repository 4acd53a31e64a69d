/**
 * Two processes on one Redis accept reports of the same sensors. One is killed and restarted, the other is suspended
 * for longer than any lease and resumed. What a relay receives is compared with what was answered 202.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { describeWith } from '../parts/requirements.ts'
import { deviceUrnOf, someLocalIds } from '../parts/seed.ts'
import { trust } from '../parts/trust.ts'
import { aDeployment } from '../soak/deployment.ts'
import { createRandom } from '../soak/random.ts'
import { aRecorder } from '../soak/recorder.ts'
import { missing, submitOneByOne } from '../soak/submissions.ts'

const localIds = someLocalIds(8)
/** The longest lease, that of deliveries: another process continues a device's work after this time. */
const leaseMs = 60_000

describeWith('redis-server', 'processes that share devices')('processes that share devices', () => {
  test('lose no report and keep the order while one is killed and the other is suspended beyond its leases', async () => {
    const deployment = await aDeployment({ sensors: localIds.length, redis: true })
    const { first, origins } = deployment
    trust(first.certificate.ca)
    const recorder = await aRecorder({ certificate: first.certificate, random: createRandom(1), troubled: 0.1 })
    let hung: number | undefined
    try {
      const second = await deployment.ready(1)
      const sensors = await Promise.all(
        localIds.map((localId) => aSensor({ origin: origins[0] ?? '', ca: first.certificate.ca, localId })),
      )
      const user = await aUser(first)
      for (const localId of localIds)
        await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })
      const stopping = new AbortController()
      const running = sensors.map((sensor) => submitOneByOne(sensor, origins, stopping.signal))
      await until('reports arrive', async () => recorder.counts.first > 100)

      hung = second.ready.pid
      process.kill(hung, 'SIGSTOP')
      await deployment.restart(0)
      await deployment.ready(0)
      const beyondLeases = sleep(leaseMs + 2_000)
      // Including the reports that the killed and the suspended process had leased.
      const before = sensors.map(({ localId }) => Math.max(0, ...recorder.received(localId)))
      const goOn = () =>
        sensors.every(({ localId }, n) => Math.max(0, ...recorder.received(localId)) > (before[n] ?? 0))
      await until('the other process continues with every device', async () => goOn())
      await beyondLeases

      process.kill(hung, 'SIGCONT')
      hung = undefined
      await sleep(3_000)
      stopping.abort()
      const accepted = await Promise.all(running)
      for (const sensor of sensors) sensor.close()

      await until('every report has arrived', async () => missing(accepted, recorder).length === 0)
      expect(recorder.violations).toEqual([])
      expect(recorder.counts.first).toBeGreaterThan(200)
      expect(await deployment.stop()).toEqual([0, 0])
    } finally {
      if (hung !== undefined) process.kill(hung, 'SIGCONT')
      recorder.stop()
      await deployment.remove()
    }
  })
})
