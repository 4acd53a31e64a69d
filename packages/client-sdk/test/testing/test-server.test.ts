import { expect, test } from 'vitest'
import { createPosrep, memoryTokenStore } from '../../src/index.ts'
import { startTestServer } from '../../src/testing.ts'

test('an app signs in at the test server, calls it, and goes on after its tokens have ended', async () => {
  const server = await startTestServer({ devices: ['roof1', 'roof2'] })
  try {
    const posrep = createPosrep({ ...server.options, tokenStore: memoryTokenStore(), clock: server.clock })
    const { url, pending } = await posrep.startSignIn()
    await posrep.completeSignIn(pending, await server.signIn(url))

    expect((await posrep.listDevices()).data.map(({ deviceId }) => deviceId)).toEqual(server.deviceUrns)
    const before = await posrep.session.getAccessToken()
    server.advance(20 * 60_000)
    expect((await posrep.listDevices()).data).toHaveLength(2)
    expect(await posrep.session.getAccessToken()).not.toBe(before)
    await posrep.signOut()
    expect(await posrep.isSignedIn()).toBe(false)
  } finally {
    await server.stop()
  }
})
