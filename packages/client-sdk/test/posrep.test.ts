import { afterEach, expect, test, vi } from 'vitest'
import {
  createClient,
  createLogin,
  createPosrep,
  createSession,
  memoryTokenStore,
  webTokenStore,
} from '../src/index.ts'
import { aPage } from './a-page.ts'
import { aDevice, aFetch, aTokenResponse, aTokens } from './builders.ts'
import { aStorage } from './stores/a-browser.ts'

const redirectUri = 'https://app.example.net/callback'

afterEach(() => vi.unstubAllGlobals())

test('a user signs in, calls, and signs out', async () => {
  const onSignedOut = vi.fn()
  const { posrep, requests } = aPosrep({ onSignedOut })
  expect(await posrep.isSignedIn()).toBe(false)
  await expect(posrep.listDevices()).rejects.toMatchObject({ code: 'login_required' })

  const { pending } = await posrep.startSignIn()
  await posrep.completeSignIn(pending, `${redirectUri}?code=c0de&state=${pending.state}&iss=https://api.example.net`)

  expect(await posrep.isSignedIn()).toBe(true)
  expect((await posrep.listDevices()).data).toEqual([aDevice()])

  await posrep.signOut()
  expect(await posrep.isSignedIn()).toBe(false)
  expect(onSignedOut.mock.calls).toEqual([['signed_out']])
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual([
    '/oauth/v2/token',
    '/v1/devices',
    '/oauth/v2/revoke',
  ])
})

test('without any origin, the error names the options', () => {
  expect(() => createPosrep({ clientId: 'map-view', redirectUri } as never)).toThrow(
    '"origin" must be an https origin, or http on this machine, got "undefined"',
  )
})

test.each([
  [
    'createPosrep',
    () => createPosrep({ origin: 'https://a.example', clientId: 'a', redirectUri, tokenstore: 1 } as never),
  ],
  ['createClient', () => createClient({ origin: 'https://a.example', getToken: () => '', tokenstore: 1 } as never)],
  [
    'createLogin',
    () => createLogin({ authOrigin: 'https://a.example', clientId: 'a', redirectUri, tokenstore: 1 } as never),
  ],
  ['createSession', () => createSession({ login: {}, tokenstore: 1 } as never)],
  ['webTokenStore', () => webTokenStore({ tokenstore: 1 } as never)],
] as const)('an option of %s that was misspelt is named', (name, create) => {
  expect(create).toThrow(`"tokenstore" is not an option of ${name}()`)
})

test('handleCallback() that is called twice at once finishes the sign-in once, and both tell that a user is signed in', async () => {
  const [localStorage, sessionStorage] = [aStorage(), aStorage()]
  const open = (address: string) => {
    const page = aPage(address)
    for (const [name, value] of Object.entries({ window: page, localStorage, sessionStorage })) {
      vi.stubGlobal(name, value)
    }
    return { page, ...aPosrep() }
  }
  const first = open('https://app.example.net/')
  expect(await first.posrep.handleCallback()).toBe(false)
  first.posrep.signIn()
  await vi.waitFor(() => expect(first.page.visited).toHaveLength(1))
  const state = new URL(first.page.visited[0] ?? '').searchParams.get('state')

  const { posrep, requests } = open(`${redirectUri}?code=c0de&state=${state}&iss=https://api.example.net`)

  expect(await Promise.all([posrep.handleCallback(), posrep.handleCallback()])).toEqual([true, true])
  expect(await posrep.handleCallback()).toBe(true)
  expect(requests).toHaveLength(1)
})

test('outside of a browser signIn() and handleCallback() say what to use', async () => {
  const { posrep } = aPosrep()

  await expect(posrep.signIn()).rejects.toMatchObject({ code: 'not_a_browser' })
  await expect(posrep.handleCallback()).rejects.toThrow('use startSignIn() and completeSignIn()')
})

test('two of them with one store have one user', async () => {
  const tokenStore = memoryTokenStore()
  await tokenStore.write(aTokens(1))

  expect(await aPosrep({ tokenStore }).posrep.isSignedIn()).toBe(true)
  await aPosrep({ tokenStore }).posrep.signOut()
  expect(await aPosrep({ tokenStore }).posrep.isSignedIn()).toBe(false)
})

function aPosrep(options: Partial<Parameters<typeof createPosrep>[0]> = {}) {
  const { fetch, requests } = aFetch(aTokenResponse, () => Response.json({ data: [aDevice()] }))
  const posrep = createPosrep({
    ...options,
    origin: 'https://api.example.net',
    authOrigin: undefined,
    ingestOrigin: undefined,
    uiOrigin: undefined,
    clientId: 'map-view',
    redirectUri,
    fetch,
  })
  return { posrep, requests }
}
