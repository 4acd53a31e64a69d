import { expect, test, vi } from 'vitest'
import { signInWithPopup } from '../src/popup.ts'
import type { Channel } from '../src/ports.ts'
import { aPage } from './a-page.ts'
import { aClock } from './builders.ts'

const callback = 'https://app.example.net/callback?code=c0de&state=posrep-popup.1'

test('the popup is opened before anything is awaited, 500 × 600 in the middle of the screen', () => {
  const { page, signIn } = aSignIn()

  signIn()

  expect(page.popups.map(({ features }) => features)).toEqual(['popup,width=500,height=600,left=390,top=100'])
})

test("the popup's address is read every 150 ms, until it is the callback; then the popup is closed", async () => {
  const { page, clock, posrep, signIn } = aSignIn()
  const done = signIn()
  await clock.advance(9_900)
  const popup = page.popups[0]
  expect(posrep.completeSignIn).not.toHaveBeenCalled()

  if (popup) popup.address = callback
  await clock.advance(149)
  expect(popup?.closed).toBe(false)
  await clock.advance(1)
  await done

  expect(posrep.completeSignIn.mock.calls).toEqual([[aPending, callback]])
  expect(popup?.closed).toBe(true)
})

test('a page of this origin that is not the callback of this sign-in is left alone', async () => {
  const { page, clock, posrep, signIn } = aSignIn()
  signIn().catch(() => {})
  await clock.advance(150)
  const popup = page.popups[0]

  for (const address of [
    'about:blank',
    'https://app.example.net/',
    callback.replace('posrep-popup.1', 'posrep-popup.2'),
  ]) {
    if (popup) popup.address = address
    await clock.advance(300)
  }

  expect(posrep.completeSignIn).not.toHaveBeenCalled()
  expect(popup?.closed).toBe(false)
})

test('a popup that the user closes rejects with "popup_closed"', async () => {
  const { page, clock, signIn } = aSignIn()
  const done = signIn().catch((error: unknown) => error)
  await clock.advance(1_000)

  page.popups[0]?.close()
  await clock.advance(300)

  expect(await done).toMatchObject({ name: 'LoginError', code: 'popup_closed' })
  expect(clock.waiting()).toBe(0)
})

test('when the popup is blocked, the tab itself goes to the sign-in page', async () => {
  const { page, posrep, signIn } = aSignIn()
  page.isBlocking = true

  signIn()

  expect(posrep.signIn.mock.calls).toEqual([[{ returnTo: 'https://app.example.net/' }]])
})

test.each<Record<string, string>>([
  { '/': 'same-origin' },
  { '/': 'same-origin; report-to="x"', '/callback': 'same-origin' },
  { '/': 'noopener-allow-popups' },
])(
  'a popup that the policy %j of the app hides finishes the sign-in over the channel, minutes after it looked closed',
  async (policies) => {
    const { page, clock, posrep, send, signIn } = aSignIn({ policies })
    const done = signIn()
    await clock.advance(150)
    page.popups[0]?.close()
    await clock.advance(5 * 60_000)
    for (const other of [undefined, 7, 'not an address', `${callback}0`]) send(other)
    await clock.advance(1_000)
    expect(posrep.completeSignIn).not.toHaveBeenCalled()

    send(callback)
    await clock.advance(150)
    await done

    expect(posrep.completeSignIn.mock.calls).toEqual([[aPending, callback]])
  },
)

test.each<Record<string, string>>([{ '/': 'same-origin-allow-popups' }, { '/callback': 'same-origin' }])(
  'with the policy %j the callback page may still send its address for ten seconds',
  async (policies) => {
    const { page, clock, send, signIn } = aSignIn({ policies })
    const done = signIn()
    await clock.advance(1_050)
    page.popups[0]?.close()
    await clock.advance(9_000)
    send(callback)
    await clock.advance(150)
    await done

    const closed = aSignIn({ policies })
    const failed = closed.signIn().catch((error: unknown) => error)
    await closed.clock.advance(1_050)
    closed.page.popups[0]?.close()
    await closed.clock.advance(10_500)
    expect(await failed).toMatchObject({ code: 'popup_closed' })
  },
)

test('a sign-in that is not finished in time rejects with "popup_timeout", and closes the popup', async () => {
  for (const policies of [{}, { '/': 'same-origin' }] as Record<string, string>[]) {
    const { page, clock, signIn } = aSignIn({ policies })
    const done = signIn(undefined, 60_000).catch((error: unknown) => error)
    await clock.advance(60_000)

    expect(await done).toMatchObject({ name: 'LoginError', code: 'popup_timeout' })
    expect(page.popups[0]?.closed).toBe(true)
    expect(clock.waiting()).toBe(0)
  }
})

test('a page at another origin than the redirect URI is refused at once, and the popup closed', async () => {
  const { page, posrep, signIn } = aSignIn({ address: 'http://127.0.0.1:5173/' })

  await expect(signIn()).rejects.toMatchObject({ code: 'wrong_origin' })

  expect(page.popups[0]?.closed).toBe(true)
  expect(posrep.completeSignIn).not.toHaveBeenCalled()
})

test('the popup closes when the page is left', async () => {
  const { page, clock, signIn } = aSignIn()
  const done = signIn().catch((error: unknown) => error)
  await clock.advance(150)

  page.dispatch('pagehide')
  expect(page.popups[0]?.closed).toBe(true)
  await clock.advance(300)
  expect(await done).toMatchObject({ code: 'popup_closed' })
})

test('an option that was misspelt is named', async () => {
  const { page, posrep } = aSignIn()
  await expect(signInWithPopup(posrep, { page, widht: 1 } as object)).rejects.toThrow(
    '"widht" is not an option of signInWithPopup()',
  )
})

test('a signal closes the popup', async () => {
  const { page, clock, signIn } = aSignIn()
  const abort = new AbortController()
  const done = signIn(abort.signal).catch((error: unknown) => error)
  await clock.advance(1_000)

  abort.abort(new Error('changed my mind'))

  expect(await done).toEqual(new Error('changed my mind'))
  expect(page.popups[0]?.closed).toBe(true)
})

test('when the sign-in cannot be started or finished, the popup is closed', async () => {
  const first = aSignIn()
  first.posrep.startSignIn.mockRejectedValue(new Error('no start'))
  await expect(first.signIn()).rejects.toThrow('no start')

  const second = aSignIn()
  second.posrep.completeSignIn.mockRejectedValue(new Error('no tokens'))
  const done = second.signIn().catch((error: unknown) => error)
  await second.clock.advance(10)
  const popup = second.page.popups[0]
  if (popup) popup.address = callback
  await second.clock.advance(150)

  expect(await done).toEqual(new Error('no tokens'))
  for (const { page } of [first, second]) expect(page.popups[0]?.closed).toBe(true)
})

test('without a page it rejects', async () => {
  const { posrep } = aSignIn()
  await expect(signInWithPopup(posrep)).rejects.toMatchObject({ code: 'not_a_browser' })
})

const redirectUri = 'https://app.example.net/callback'
const authorize = `https://auth.example.net/authorize?redirect_uri=${redirectUri}`
const aPending = { state: 'posrep-popup.1', codeVerifier: 'verifier' }

function aSignIn({
  address = 'https://app.example.net/',
  policies = {},
}: {
  address?: string
  policies?: Record<string, string>
} = {}) {
  const page = aPage(address)
  const clock = aClock()
  const channel: Channel = { postMessage() {}, onmessage: null }
  const posrep = {
    signIn: vi.fn(() => new Promise<never>(() => {})),
    startSignIn: vi.fn(async () => ({ url: authorize, pending: aPending })),
    completeSignIn: vi.fn(async () => {}),
  }
  const fetch = async ({ url }: Request) =>
    new Response(null, { headers: { 'cross-origin-opener-policy': policies[new URL(url).pathname] ?? '' } })
  const openChannel = () => channel
  return {
    page,
    clock,
    posrep,
    /** What the callback page does. */
    send: (data: unknown) => channel.onmessage?.(new MessageEvent('message', { data })),
    signIn: (signal?: AbortSignal, timeoutMs?: number) =>
      signInWithPopup(posrep, { page, clock, fetch, openChannel, signal, ...(timeoutMs && { timeoutMs }) }),
  }
}
