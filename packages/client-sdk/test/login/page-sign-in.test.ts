import { expect, test, vi } from 'vitest'
import type { PendingLogin } from '../../src/login/login.ts'
import { createPageSignIn } from '../../src/login/page-sign-in.ts'
import type { WebStorage } from '../../src/ports.ts'
import { aPage, type FakePage } from '../a-page.ts'
import { aTokens } from '../builders.ts'
import { aStorage } from '../stores/a-browser.ts'

const redirectUri = 'https://app.example.net/callback?app=1'

test('the tab goes to the sign-in page, and the callback page finishes the sign-in', async () => {
  const { start, arrive } = aSignIn()
  await start()

  const { page, complete } = arrive(`${redirectUri}&code=c0de&state=state-1&iss=https%3A%2F%2Fa.example#map`)

  expect(await complete()).toEqual({ tokens: aTokens(1), pending: aPending(1) })
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
  'https://app.example.net/',
  'https://app.example.net/callback',
  'https://app.example.net/callback?state=state-1',
  'https://app.example.net/callback/?code=c0de&state=state-1',
  'https://other.example.net/callback?code=c0de&state=state-1',
])('%s is no callback', async (address) => {
  const { start, arrive, login } = aSignIn()
  await start()

  const { page, complete } = arrive(address)

  expect((await complete()).tokens).toBeUndefined()
  expect(page.location.href).toBe(address)
  expect(login.complete).not.toHaveBeenCalled()
})

test.each(['state-2', ''])(
  'a callback with the state "%s", which this tab did not start, is refused',
  async (state) => {
    const { start, arrive, login } = aSignIn()
    await start()

    const { page, complete } = arrive(`${redirectUri}&code=c0de&state=${state}`)

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

test('two sign-ins of one tab do not disturb each other', async () => {
  const { start, arrive } = aSignIn()
  await start()
  await start()

  expect((await arrive(`${redirectUri}&code=a&state=state-1`).complete()).pending).toEqual(aPending(1))
  expect((await arrive(`${redirectUri}&code=b&state=state-2`).complete()).pending).toEqual(aPending(2))
})

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
  const signIn = createPageSignIn({ login: aLogin(), redirectUri, page: undefined, storage: undefined })

  await expect(signIn.start()).rejects.toMatchObject({ code: 'not_a_browser' })
  await expect(signIn.complete()).rejects.toMatchObject({ code: 'not_a_browser' })
})

test("a popup's callback page leaves the code to the page that opened it", async () => {
  const login = aLogin()
  const page = aPage(`${redirectUri}&code=c0de&state=popup.abc`, { closed: false })
  const settled = vi.fn()

  createPageSignIn({ login, redirectUri, page, storage: aStorage() }).complete().then(settled, settled)
  await new Promise((resolve) => setImmediate(resolve))

  expect(settled).not.toHaveBeenCalled()
  expect(page.location.href).toContain('code=c0de')
})

test("a popup's callback page whose opener is gone is refused", async () => {
  for (const opener of [null, { closed: true }]) {
    const page = aPage(`${redirectUri}&code=c0de&state=popup.abc`, opener)
    const signIn = createPageSignIn({ login: aLogin(), redirectUri, page, storage: aStorage() })

    await expect(signIn.complete()).rejects.toMatchObject({ code: 'state_mismatch' })
  }
})

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
function aSignIn({ storage }: { storage: WebStorage | undefined } = { storage: aStorage() }) {
  const login = aLogin()
  const on = (page: FakePage) => createPageSignIn({ login, redirectUri, page, storage })
  const page = aPage('https://app.example.net/')
  return {
    login,
    page,
    signIn: on(page),
    async start() {
      on(page).start()
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
