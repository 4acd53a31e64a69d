/**
 * A relay that is down for a day, while the server is killed every few hours. The clock is moved between the kills,
 * because the clock of a running process does not jump.
 */
import { expect, onTestFinished } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { fakeTime, setClock } from '../parts/fake-time.ts'
import { testWith } from '../parts/requirements.ts'
import { deviceUrnOf } from '../parts/seed.ts'
import { createRandom } from '../soak/random.ts'
import { aRecorder } from '../soak/recorder.ts'
import { aScene } from './a-scene.ts'

testWith('faketime', 'a relay that is down for a day')(
  'I1, I2, I3: a relay that is down for a day of kills, flaps and is slow gets every report in order, and delays no other relay',
  async () => {
    const scene = await aScene({
      prepare: ({ folder }) => setClock(folder, '+0'),
      environmentIn: fakeTime,
      flags: ['--relay-retention', '48h'],
      troubled: 0.5,
    })
    const { recorder: relay, location } = scene
    const { certificate } = scene.server()
    const other = await aRecorder({ certificate, random: createRandom(2), troubled: 0 })
    onTestFinished(() => other.stop())
    const user = await aUser(scene.server())
    await user.updateRelay(deviceUrnOf('roof2'), { url: other.url, state: 'Active' })

    let reports = 0
    /**
     * Sends a report of each device and waits for the other relay. Tokens expire within the day, so there are new ones
     * each time.
     */
    const report = async (count: number) => {
      const { origin } = scene.server().ready
      const sensors = await Promise.all(
        ['roof1', 'roof2'].map((localId) => aSensor({ origin, ca: certificate.ca, localId })),
      )
      for (const last = reports + count; reports < last; ) {
        reports++
        for (const { localId, submit } of sensors)
          expect((await submit(aReportText(`${localId}:${reports}`))).status).toBe(202)
        await until('the other relay has the report', () => other.received('roof2').has(reports))
      }
      for (const sensor of sensors) sensor.close()
    }
    const everyReport = Array.from({ length: 23 }, (_, n) => n + 1)
    const untilTaken = () => until('the relay has every report', () => relay.received('roof1').size === reports)

    await report(2)
    await untilTaken()
    relay.goAway()
    const before = relay.received('roof1').size
    for (const hours of [4, 8, 12, 16, 20, 24]) {
      await report(2)
      await scene.server().kill()
      await setClock(location.folder, `+${hours * 3_600}`)
      // Without an answer the server pauses for minutes; after a restart it tries at once.
      if (hours === 24) {
        expect(relay.received('roof1').size).toBe(before)
        relay.answering((message) => (message % 3 === 0 ? 503 : 204))
        await relay.comeBack()
      }
      await scene.startAgain()
    }
    await report(3)
    await untilTaken()

    // A second, short outage, in which the relay does not answer at all.
    relay.goAway()
    await report(3)
    await scene.server().kill()
    await relay.comeBack()
    relay.answering(() => 204)
    await scene.startAgain()
    await report(3)
    await untilTaken()

    expect([...relay.received('roof1')].sort((a, b) => a - b)).toEqual(everyReport)
    // A repetition with a new id would be a violation.
    expect([...relay.violations, ...other.violations]).toEqual([])
    expect(relay.counts.repeated).toBeGreaterThan(0)
    const { buried } = await (await aUser(scene.server())).listDeliveries(deviceUrnOf('roof1'))
    expect(buried).toBe(0)
    expect(await scene.server().stop()).toBe(0)
  },
)
