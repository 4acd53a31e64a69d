/** The wall clock of the machine is set while the server runs: an hour on, an hour back, ten years back. */
import { expect } from 'vitest'
import { aUser } from '../a-user.ts'
import { testWith } from '../parts.ts'
import { deviceUrnOf } from '../seed.ts'
import { aScene, type Scene } from './a-scene.ts'
import { fakeTime, setClock } from './fake-time.ts'

testWith('faketime', 'a clock that is set')(
  'tokens, pairing and deliveries go on as if nothing had happened while the clock is set to and fro',
  async () => {
    const scene = await aScene({
      prepare: ({ folder }) => setClock(folder, '+0'),
      environmentIn: fakeTime,
    })
    const user = await aUser(scene.server())

    for (const offset of ['+3600', '-3600', '-315360000', '+0']) {
      const paired = await user.createPairingRequest(deviceUrnOf('roof2'))
      await setClock(scene.place.folder, offset)
      expect((await scene.submit()).status, `a token from before, at ${offset}`).toBe(202)
      const consumed = await consume(scene, paired.clientUniqueId)
      expect(consumed.status, `pairing within its window, at ${offset}`).toBe(200)
      const { expiresAt } = await consumed.json()
      const leftMs = Date.parse(expiresAt) - Date.now()
      expect(leftMs / 3_600_000, `a day, at ${offset}`).toBeCloseTo(24, 1)
    }
    // TLS certificates are judged by the wall clock; by now that is right again.
    await scene.untilAllArrived()
    expect(await scene.server().stop()).toBe(0)
  },
)

function consume({ place }: Scene, clientUniqueId: string): Promise<Response> {
  const url = `https://localhost:${place.port}/v1/pairing-tokens/consume-token?clientUniqueId=${clientUniqueId}`
  return fetch(url, { method: 'POST' })
}
