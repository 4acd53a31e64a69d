/** The wall clock of the machine is set while the server runs: an hour on, an hour back, ten years back. */
import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { aUser } from '../a-user.ts'
import { testWith } from '../parts.ts'
import { deviceUrnOf } from '../seed.ts'
import { aScene, type Scene } from './a-scene.ts'

/** What faketime sets for its child; the offset is in a file, so that it can change. */
function fakeTime(folder: string): Record<string, string> {
  const preload = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], { encoding: 'utf8' }).trim()
  return {
    LD_PRELOAD: preload,
    FAKETIME_TIMESTAMP_FILE: join(folder, 'offset'),
    FAKETIME_NO_CACHE: '1',
    // Setting the clock does not touch the monotonic one; timers are by that.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

const setClock = ({ place }: Scene, offset: string) => writeFile(join(place.folder, 'offset'), offset)

testWith('faketime', 'a clock that is set')(
  'tokens, pairing and deliveries go on as if nothing had happened while the clock is set to and fro',
  async () => {
    const scene = await aScene({
      prepare: ({ folder }) => writeFile(join(folder, 'offset'), '+0'),
      environmentIn: fakeTime,
    })
    const user = await aUser(scene.server())

    for (const offset of ['+3600', '-3600', '-315360000', '+0']) {
      const paired = await user.createPairingRequest(deviceUrnOf('roof2'))
      await setClock(scene, offset)
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
