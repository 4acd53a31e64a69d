/** The wall clock of the machine is set while the server runs, stands still, or is another one after a restart. */
import { expect, onTestFinished } from 'vitest'
import { aReportText, aSensor } from '../a-sensor.ts'
import { aUser } from '../a-user.ts'
import { testWith } from '../parts.ts'
import { deviceUrnOf } from '../seed.ts'
import { until } from '../until.ts'
import { aScene, type Scene } from './a-scene.ts'
import { fakeTime, frozenNow, setClock } from './fake-time.ts'

const testWithClock = testWith('faketime', 'a clock that is set')

function aSceneWithClock(): Promise<Scene> {
  return aScene({ prepare: ({ folder }) => setClock(folder, '+0'), environmentIn: fakeTime })
}

testWithClock(
  'tokens, pairing and deliveries go on as if nothing had happened while the clock repeats a second, stops, and is set to and fro',
  async () => {
    const scene = await aSceneWithClock()
    const { place, server, submit, untilAllArrived } = scene
    const user = await aUser(server())

    // The first is what a leap second is to a machine that does not smear it.
    const frozen = frozenNow()
    for (const offset of ['-1', frozen, '+3600', '-3600', '-315360000']) {
      const paired = await user.createPairingRequest(deviceUrnOf('roof2'))
      await setClock(place.folder, offset)
      expect((await submit()).status, `a token from before, at ${offset}`).toBe(202)
      const consumed = await consume(scene, paired.clientUniqueId)
      expect(consumed.status, `pairing within its window, at ${offset}`).toBe(200)
      const { expiresAt } = await consumed.json()
      const leftMs = Date.parse(expiresAt) - Date.now()
      expect(leftMs / 3_600_000, `a day, at ${offset}`).toBeCloseTo(24, 1)
      // TLS certificates are judged by the wall clock; where it is far off, deliveries wait until it is right again.
      if (offset === '-1' || offset === frozen) await untilAllArrived()
    }
    await setClock(place.folder, '+0')
    await untilAllArrived()
    expect(await server().stop()).toBe(0)
  },
)

testWithClock(
  'I1, I3, I10: a process that starts an hour before the last one ended delivers what that one accepted, and goes on',
  async () => {
    const { place, server, recorder, submit, startAgain, untilAllArrived } = await aSceneWithClock()
    recorder.goAway()
    for (let report = 0; report < 3; report++) expect((await submit()).status).toBe(202)

    await server().kill()
    await setClock(place.folder, '-3600')
    await startAgain()
    await recorder.comeBack()
    // Tokens from the future are refused, so there is a new one.
    const { ready, certificate } = server()
    const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca })
    onTestFinished(() => sensor.close())
    expect((await sensor.submit(aReportText('roof1:4'))).status).toBe(202)

    await untilAllArrived()
    await until('the next one has arrived', () => recorder.received('roof1').has(4))
    expect(recorder.violations).toEqual([])
  },
)

function consume({ place }: Scene, clientUniqueId: string): Promise<Response> {
  const url = `https://localhost:${place.port}/v1/pairing-tokens/consume-token?clientUniqueId=${clientUniqueId}`
  return fetch(url, { method: 'POST' })
}
