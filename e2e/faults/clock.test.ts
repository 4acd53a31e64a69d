/** The machine's wall clock is set or stopped while the server runs, or changes across a restart. */
import { expect, onTestFinished } from 'vitest'
import { currentTimeMs, until } from '../../testing/real-time.ts'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { fakeTime, frozenNow, setClock } from '../parts/fake-time.ts'
import { testWith } from '../parts/requirements.ts'
import { deviceUrnOf } from '../parts/seed.ts'
import { aScene, type Scene } from './a-scene.ts'

const testWithClock = testWith('faketime', 'a clock that is set')

function aSceneWithClock(): Promise<Scene> {
  return aScene({ prepare: ({ folder }) => setClock(folder, '+0'), environmentIn: fakeTime })
}

testWithClock(
  'tokens, pairing and deliveries are not affected when the wall clock repeats a second, stops, is wrong for a second, or is set back by 5 minutes',
  async () => {
    const scene = await aSceneWithClock()
    const { location, server, submit, untilAllArrived } = scene
    const user = await aUser(server())

    // The first offset is a leap second on a machine without leap smearing.
    for (const offset of ['-1', frozenNow(), '+3600', '+0', '-300']) {
      const paired = await user.createPairingRequest(deviceUrnOf('roof2'))
      await setClock(location.folder, offset)
      expect((await submit()).status, `an earlier token, at ${offset}`).toBe(202)
      if (offset === '+3600') await setClock(location.folder, '+0')
      const consumed = await consume(scene, paired.clientUniqueId)
      expect(consumed.status, `pairing within 60 s, at ${offset}`).toBe(200)
      const { expiresAt } = await consumed.json()
      const leftMs = Date.parse(expiresAt) - currentTimeMs()
      expect(leftMs / 3_600_000, `a day, at ${offset}`).toBeCloseTo(24, 0)
    }
    await untilAllArrived()
    expect(await server().stop()).toBe(0)
  },
)

testWithClock(
  'what expires within 5 minutes is expired soon after the wall clock was set forward by 5 minutes',
  async () => {
    const scene = await aSceneWithClock()
    const { location, server, submit, untilAllArrived } = scene
    const user = await aUser(server())
    const paired = await user.createPairingRequest(deviceUrnOf('roof2'))

    await setClock(location.folder, '+300')
    await until('the pairing request of 60 s has expired', async () => {
      const { state } = await user.getPairingRequest(paired.id)
      return state === 'expired'
    })
    expect((await consume(scene, paired.clientUniqueId)).status).toBe(404)
    expect((await submit()).status, 'a sensor token of a day').toBe(202)
    await untilAllArrived()
  },
)

testWithClock(
  'I1, I3, I10: a process stops with exit code 3 when the wall clock is set back by an hour, and the next process goes on',
  async () => {
    const { location, server, recorder, submit, startAgain, untilAllArrived } = await aSceneWithClock()
    recorder.goAway()
    for (let report = 0; report < 3; report++) expect((await submit()).status).toBe(202)

    await setClock(location.folder, '-3600')
    expect(await server().exited).toBe(3)
    expect(server().output()).toContain('the wall clock was set back by more than 10 minutes')
    await startAgain()
    await recorder.comeBack()
    await untilAllArrived()
    expect(recorder.violations).toEqual([])
  },
)

testWithClock(
  'I1, I3, I10: a process whose clock is an hour behind the previous process delivers the accepted reports and accepts new ones',
  async () => {
    const { location, server, recorder, submit, startAgain, untilAllArrived } = await aSceneWithClock()
    recorder.goAway()
    for (let report = 0; report < 3; report++) expect((await submit()).status).toBe(202)

    await server().kill()
    await setClock(location.folder, '-3600')
    await startAgain()
    await recorder.comeBack()
    // A token issued in the future is refused, so the sensor gets a new one.
    const { ready, certificate } = server()
    const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca })
    onTestFinished(() => sensor.close())
    expect((await sensor.submit(aReportText('roof1:4'))).status).toBe(202)

    await untilAllArrived()
    await until('the next report has arrived', () => recorder.received('roof1').has(4))
    expect(recorder.violations).toEqual([])
  },
)

function consume({ location }: Scene, clientUniqueId: string): Promise<Response> {
  const url = `https://localhost:${location.port}/v1/pairing-tokens/consume-token?clientUniqueId=${clientUniqueId}`
  return fetch(url, { method: 'POST' })
}
