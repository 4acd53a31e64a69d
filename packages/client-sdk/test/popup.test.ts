import { expect, test, vi } from 'vitest'
import { signInWithPopup } from '../src/popup.ts'
import { aPage } from './a-page.ts'
import { aClock } from './builders.ts'

const callback = 'https://app.example.net/callback?code=c0de&state=popup.1'

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

  for (const address of ['about:blank', 'https://app.example.net/', callback.replace('popup.1', 'popup.2')]) {
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
  await clock.advance(150)

  expect(await done).toMatchObject({ name: 'LoginError', code: 'popup_closed' })
  expect(clock.waiting()).toBe(0)
})

test('when the popup is blocked, the tab itself goes to the sign-in page', async () => {
  const { page, posrep, signIn } = aSignIn()
  page.isBlocking = true

  signIn()

  expect(posrep.signIn).toHaveBeenCalledTimes(1)
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

const aPending = { state: 'popup.1', codeVerifier: 'verifier' }

function aSignIn() {
  const page = aPage('https://app.example.net/')
  const clock = aClock()
  const posrep = {
    signIn: vi.fn(() => new Promise<never>(() => {})),
    startSignIn: vi.fn(async () => ({ url: 'https://auth.example.net/authorize', pending: aPending })),
    completeSignIn: vi.fn(async () => {}),
  }
  return { page, clock, posrep, signIn: (signal?: AbortSignal) => signInWithPopup(posrep, { page, clock, signal }) }
}
