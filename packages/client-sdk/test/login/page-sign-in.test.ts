import { afterEach, expect, test, vi } from 'vitest'
import type { PendingLogin } from '../../src/login/login.ts'
import { createPageSignIn, type SignInOptions } from '../../src/login/page-sign-in.ts'
import type { WebStorage } from '../../src/ports.ts'
import { aPage, type FakePage } from '../a-page.ts'
import { aTokens } from '../builders.ts'
import { aStorage } from '../stores/a-browser.ts'

const redirectUri = 'https://app.example.net/callback?app=1'
const issuer = 'https://auth.example.net'
const iss = `iss=${encodeURIComponent(issuer)}`

afterEach(() => vi.unstubAllGlobals())

test('the tab goes to the sign-in page, and the callback page finishes the sign-in', async () => {
  const { start, arrive } = aSignIn()
  await start()

  const { page, complete } = arrive(`${redirectUri}&code=c0de&state=state-1&${iss}#map`)

  expect(await complete()).toEqual({ tokens: aTokens(1), pending: expect.objectContaining(aPending(1)) })
  expect(page.location.href).toBe(`${redirectUri}#map`)
})

test('the address bar is cleaned before the code is exchanged, and a reload exchanges nothing', async () => {
  const { start, arrive, login } = aSignIn()
  await start()
  const { page, complete } = arrive(`${redirectUri}&code=c0de&state=state-1`)
  login.complete.mockImplementation(() => {
    expect(page.location.href).toBe(redirectUri)
    return Promise.reject(new Error('refused'))
  })

  await expect(complete()).rejects.toThrow('refused')

  expect((await complete()).tokens).toBeUndefined()
  expect(login.complete).toHaveBeenCalledTimes(1)
})

test.each([
  'https://app.example.net/callback/?app=1&code=c0de&state=state-1',
  'https://app.example.net/callback/index.html?code=c0de&state=state-1',
  'https://app.example.net/?code=c0de&state=state-1',
])('the sign-in is recognised by its state at %s, to which the host has led', async (address) => {
  const { start, arrive } = aSignIn()
  await start()

  const { page, complete } = arrive(address)

  expect((await complete()).tokens).toEqual(aTokens(1))
  expect(page.location.href).toBe(`https://app.example.net${new URL(address).pathname}?app=1`)
})

test.each([
  'https://app.example.net/',
  'https://app.example.net/callback',
  'https://app.example.net/callback?state=state-1',
  'https://app.example.net/callback?code=c0de&state=of-another-library',
  'https://app.example.net/callback?error=access_denied&state=of-another-library',
  'https://app.example.net/callback?code=coupon',
  'https://app.example.net/callback?code=c0de&state=x&iss=https%3A%2F%2Faccounts.example.org',
])('%s is no callback of this sign-in, and left alone', async (address) => {
  const { start, arrive, login } = aSignIn()
  await start()

  const { page, complete } = arrive(address)

  expect((await complete()).tokens).toBeUndefined()
  expect(page.location.href).toBe(address)
  expect(login.complete).not.toHaveBeenCalled()
})

test('a sign-in of another client on the same page is left to it', async () => {
  const storage = aStorage()
  const other = aSignIn({ storage, clientId: 'other' })
  const { login } = aSignIn({ storage })
  await other.start()
  const page = aPage(`${redirectUri}&code=c0de&state=state-1`)

  const mine = createPageSignIn({ login, issuer, clientId: 'map-view', redirectUri, page, storage })
  expect(await mine.complete()).toBeUndefined()

  expect((await other.arrive(page.location.href).complete()).tokens).toEqual(aTokens(1))
})

test.each(['state-2', ''])(
  'a callback of the service with the state "%s", which this tab did not start, is refused',
  async (state) => {
    const { start, arrive, login } = aSignIn()
    await start()

    const { page, complete } = arrive(`${redirectUri}&code=c0de&state=${state}&${iss}`)

    await expect(complete()).rejects.toMatchObject({ name: 'LoginError', code: 'state_mismatch' })
    expect(page.location.href).toBe(redirectUri)
    expect(login.complete).not.toHaveBeenCalled()
  },
)

test('a callback with an error is given to the login, which knows its meaning', async () => {
  const { start, arrive, login } = aSignIn()
  await start()

  await arrive(`${redirectUri}&error=access_denied&state=state-1`).complete()

  expect(login.complete).toHaveBeenCalledTimes(1)
})

test.each([
  ['/devices/roof1?tab=2#map', 'https://app.example.net/devices/roof1?tab=2#map'],
  ['https://app.example.net/?q=a%20b', 'https://app.example.net/?q=a%20b'],
  [new URL('https://app.example.net/x'), 'https://app.example.net/x'],
])('the address "%s" is in the address bar after the sign-in, and after a refusal', async (returnTo, shown) => {
  const { start, arrive, login } = aSignIn()
  await start({ returnTo })
  await start({ returnTo })

  const first = arrive(`${redirectUri}&code=c0de&state=state-1`)
  await first.complete()
  expect(first.page.location.href).toBe(shown)

  login.complete.mockRejectedValue(new Error('denied'))
  const second = arrive(`${redirectUri}&error=access_denied&state=state-2`)
  await expect(second.complete()).rejects.toThrow('denied')
  expect(second.page.location.href).toBe(shown)
})

test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)'])(
  'the address "%s" to return to is refused at once',
  async (returnTo) => {
    const { page, signIn } = aSignIn()

    await expect(signIn.start({ returnTo })).rejects.toThrow(/^"returnTo" must be at "https:\/\/app.example.net"/)
    expect(page.visited).toEqual([])
  },
)

test('two sign-ins of one tab do not disturb each other', async () => {
  const { start, arrive } = aSignIn()
  await start()
  await start()

  expect((await arrive(`${redirectUri}&code=a&state=state-1`).complete()).pending).toMatchObject(aPending(1))
  expect((await arrive(`${redirectUri}&code=b&state=state-2`).complete()).pending).toMatchObject(aPending(2))
})

test('a page that the browser shows again after Back ends signIn(), and the sign-in can be begun again', async () => {
  const { page, signIn } = aSignIn()
  const done = signIn.start().catch((error: unknown) => error)
  await vi.waitFor(() => expect(page.visited).toHaveLength(1))

  page.dispatch('pageshow', { persisted: false })
  page.dispatch('pageshow', { persisted: true })

  expect(await done).toMatchObject({ name: 'LoginError', code: 'sign_in_left' })
})

test.each(['http://127.0.0.1:5173/', 'https://www.app.example.net/', 'https://app.example.net:8443/'])(
  'a page at %s, another origin than that of the redirect URI, is refused at once, and both are named',
  async (address) => {
    const page = aPage(address)
    const signIn = createPageSignIn({ ...aClient, login: aLogin(), page, storage: aStorage() })

    await expect(signIn.start()).rejects.toMatchObject({
      code: 'wrong_origin',
      message: `The page is at "${new URL(address).origin}", "redirectUri" at "https://app.example.net"; open the app there`,
    })
    expect(page.visited).toEqual([])
  },
)

test('without sessionStorage the sign-in is not started, because it could not be finished', async () => {
  for (const storage of [
    undefined,
    {
      ...aStorage(),
      setItem: () => {
        throw new Error('disabled')
      },
    },
  ]) {
    const { page, signIn } = aSignIn({ storage })

    await expect(signIn.start()).rejects.toMatchObject({ name: 'LoginError', code: 'storage_unavailable' })
    expect(page.visited).toEqual([])
  }
})

test('without a page both reject', async () => {
  const signIn = createPageSignIn({ ...aClient, login: aLogin(), page: undefined, storage: undefined })

  await expect(signIn.start()).rejects.toMatchObject({ code: 'not_a_browser' })
  await expect(signIn.complete()).rejects.toMatchObject({ code: 'not_a_browser' })
})

test("a popup's callback page sends its address to the page that opened it, and closes", async () => {
  const sent: unknown[] = []
  vi.stubGlobal(
    'BroadcastChannel',
    class {
      postMessage(message: unknown) {
        sent.push(message)
      }
    },
  )
  const page = aPage(`${redirectUri}&code=c0de&state=posrep-popup.abc`)
  const signIn = createPageSignIn({ ...aClient, login: aLogin(), page, storage: aStorage() })

  await expect(signIn.complete()).rejects.toMatchObject({ code: 'popup_closed' })

  expect(sent).toEqual([page.location.href])
  expect(page.isClosed).toBe(true)
})

const aClient = { issuer, clientId: 'map-view', redirectUri }

function aPending(count: number): PendingLogin {
  return { state: `state-${count}`, codeVerifier: `verifier-${count}` }
}

function aLogin() {
  let count = 0
  return {
    start: vi.fn(async () => ({ url: 'https://auth.example.net/authorize', pending: aPending((count += 1)) })),
    complete: vi.fn(async (_pending: PendingLogin, _callback: string | URL) => aTokens(1)),
  }
}

/** A tab: its storage survives when it arrives at another page. */
function aSignIn(
  { storage, clientId = 'map-view' }: { storage: WebStorage | undefined; clientId?: string } = { storage: aStorage() },
) {
  const login = aLogin()
  const on = (page: FakePage) => createPageSignIn({ ...aClient, clientId, login, page, storage })
  const page = aPage('https://app.example.net/')
  return {
    login,
    page,
    signIn: on(page),
    async start(options?: SignInOptions) {
      on(page).start(options)
      await vi.waitFor(() => expect(page.visited.pop()).toBe('https://auth.example.net/authorize'))
    },
    arrive(address: string) {
      const arrived = aPage(address)
      return {
        page: arrived,
        complete: async () => ({
          tokens: await on(arrived).complete(),
          pending: login.complete.mock.calls.at(-1)?.[0],
        }),
      }
    },
  }
}
