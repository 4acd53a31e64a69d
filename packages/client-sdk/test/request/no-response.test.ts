/** What errors say when there was no response. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { createLogin, createPosrep, type Posrep } from '../../src/index.ts'
import { aService } from '../builders.ts'

/** As Node's fetch fails. */
const refusedCertificate = async () => {
  const cause = Object.assign(new Error('self-signed certificate in certificate chain'), {
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
  })
  throw new TypeError('fetch failed', { cause })
}

const redirectUri = 'https://app.example.net/callback'
const app = { clientId: 'map-view', redirectUri }
const advice =
  'got no response: self-signed certificate in certificate chain (to trust its CA, start Node with NODE_EXTRA_CA_CERTS=FILE;'

test('a certificate that is not trusted is named with what to do, at the end of a sign-in', async () => {
  const posrep = createPosrep({ ...app, origin: 'https://localhost:8443', fetch: refusedCertificate })
  await expect(completeSignIn(posrep)).rejects.toThrow(advice)
})

test('a certificate that is not trusted is named when tokens are refreshed and calls are sent', async () => {
  const authOrigin = 'https://localhost:8443'
  await expect(createLogin({ ...app, authOrigin, fetch: refusedCertificate }).refresh('token')).rejects.toThrow(advice)
  const posrep = createPosrep({ ...app, origin: authOrigin, fetch: refusedCertificate })
  await expect(posrep.submitPositionReport({ positions: [] }, { deviceToken: () => 'token' })).rejects.toThrow(advice)
})

test('a port where nothing listens is named', async () => {
  const posrep = createPosrep({ ...app, origin: 'http://127.0.0.1:2' })
  await expect(completeSignIn(posrep)).rejects.toThrow('got no response: connect ECONNREFUSED 127.0.0.1:2; start again')
})

test('a browser gives no reason, so its console is named', async () => {
  vi.stubGlobal('window', {})
  onTestFinished(() => void vi.unstubAllGlobals())
  const fetch = async () => {
    throw new TypeError('Failed to fetch')
  }
  const posrep = createPosrep({ ...app, origin: 'https://localhost:8443', fetch })
  await expect(completeSignIn(posrep)).rejects.toThrow("got no response (the browser's console says why")
})

async function completeSignIn(posrep: Posrep): Promise<void> {
  const { pending } = await posrep.startSignIn()
  await posrep.completeSignIn(pending, `${redirectUri}?code=code&state=${pending.state}`)
}

test('a proxy that answers 407, of which fetch tells nothing, is a possible reason', async () => {
  const server = await aService(() => ({ status: 407 }))
  const posrep = createPosrep({ ...app, origin: server.origin })

  const error = await completeSignIn(posrep).catch((error: unknown) => error)

  expect(String(error)).toContain('got no response: no reason given; did a proxy answer 407?')
  expect(String(error)).not.toContain('undefined')
})
