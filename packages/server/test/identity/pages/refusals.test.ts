/** A page or form that is refused says the true reason. */
import { describe, expect, test } from 'vitest'
import { aBrowser, formWith, type Page, serve } from '../a-browser.ts'
import { anIdentity, pilot } from '../an-identity.ts'

const minuteMs = 60_000
const other = { email: 'other@example.com', password: 'another password' }

async function aVisit() {
  const identity = await anIdentity()
  const origin = await serve(identity)
  return { identity, origin, browser: aBrowser(origin) }
}

function titleOf({ html }: Page): string {
  return /<h1>(.*?)<\/h1>/.exec(html)?.[1] ?? ''
}

describe('the approval form', () => {
  test('of a browser that blocks or deleted cookies names the cookie', async () => {
    const { browser } = await aVisit()
    const page = await browser.signIn(await browser.authorize())
    browser.cookies.clear()

    const answer = await browser.press(page, 'Approve')

    expect([answer.status, titleOf(answer)]).toEqual([403, 'The cookie of this page is missing'])
  })

  test('of another browser says so, as does its page', async () => {
    const { origin, browser } = await aVisit()
    const page = await browser.signIn(await browser.authorize())
    const stranger = aBrowser(origin)
    await stranger.authorize()

    expect(titleOf(await stranger.press(page, 'Approve'))).toBe('This request belongs to another browser')
    expect(titleOf(await stranger.get(page.url))).toBe('This request belongs to another browser')
  })

  test('of a request older than 30 minutes has expired, as has its page', async () => {
    const { identity, browser } = await aVisit()
    const page = await browser.signIn(await browser.authorize())
    await identity.clock.advance(30 * minuteMs)

    expect(titleOf(await browser.press(page, 'Approve'))).toBe('This request has expired')
    expect(titleOf(await browser.get(page.url))).toBe('This request has expired')
  })

  test('of a user who signed out in another tab says that the user is signed out', async () => {
    const { browser } = await aVisit()
    const page = await browser.signIn(await browser.authorize())
    await browser.press(await browser.get('/account'), 'Sign out')

    expect(titleOf(await browser.press(page, 'Approve'))).toBe('You are signed out')
  })

  test('of a session that has ended by its age says that the user is signed out', async () => {
    const { identity, browser } = await aVisit()
    await browser.signIn(await browser.authorize())
    await identity.clock.advance(12 * 60 * minuteMs - minuteMs)
    const page = await browser.authorize()
    await identity.clock.advance(minuteMs)

    expect(titleOf(await browser.press(page, 'Approve'))).toBe('You are signed out')
  })

  test('of a user who was replaced by another one in this browser says so', async () => {
    const { browser } = await aVisit()
    const page = await browser.signIn(await browser.authorize())
    await browser.press(await browser.get('/account'), 'Sign out')
    const signIn = await browser.follow(await browser.get('/account'))
    await browser.press(signIn, 'Create account', other)

    expect(titleOf(await browser.press(page, 'Deny'))).toBe('Another sign-in has replaced yours')
  })

  test('of a request that was answered says so', async () => {
    const { identity, browser } = await aVisit()
    const page = await browser.signIn(await browser.authorize())
    const { location } = await browser.press(page, 'Approve')
    const code = location?.searchParams.get('code') ?? ''
    const form = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' }
    await identity.token({ ...form, client_id: 'map-view', client_secret: 's3cret-map-view' })

    expect(titleOf(await browser.press(page, 'Approve'))).toBe('This request was already answered')
    expect(titleOf(await browser.press(page, 'Deny'))).toBe('This request was already answered')
    expect(titleOf(await browser.get(page.url))).toBe('This request was already answered')
  })

  test('of an application that was disabled, or has another address now, says so', async () => {
    for (const change of [{ disabled: true }, { redirectUris: ['https://app.example/new'] }]) {
      const { identity, browser } = await aVisit()
      const page = await browser.signIn(await browser.authorize())
      await identity.directory.update('client', 'map-view', (client) => ({ ...client, ...change }))

      expect(titleOf(await browser.press(page, 'Approve'))).toBe('The application has changed')
    }
  })

  test('without its token, or with an answer that it does not have, was altered', async () => {
    const { browser } = await aVisit()
    const { action, hidden } = formWith(await browser.signIn(await browser.authorize()), 'Approve')

    expect(titleOf(await browser.post(action, { decision: 'approve' }))).toBe('This form was altered')
    expect(titleOf(await browser.post(action, { ...hidden, decision: 'maybe' }))).toBe('This form was altered')
  })

  test('that is too large says so', async () => {
    const { browser } = await aVisit()
    const { action, hidden } = formWith(await browser.signIn(await browser.authorize()), 'Approve')

    expect(titleOf(await browser.post(action, { ...hidden, decision: 'x'.repeat(20_000) }))).toBe(
      'This form is too large',
    )
  })
})

describe('the form of the account page', () => {
  test('of a user who signed out in another tab, in again, or lost the cookies says which', async () => {
    const { browser } = await aVisit()
    const page = await browser.openAccount()
    await browser.press(page, 'Sign out')
    const passwords = { current_password: pilot.password, new_password: 'a new password' }

    expect(titleOf(await browser.press(page, 'Change password', passwords))).toBe('You are signed out')
    await browser.openAccount()
    expect(titleOf(await browser.press(page, 'Change password', passwords))).toBe('Another sign-in has replaced yours')
    browser.cookies.clear()
    expect(titleOf(await browser.press(page, 'Change password', passwords))).toBe('The cookie of this page is missing')
  })

  test('that signs in says whether it expired, belongs to another browser, or lost its cookie', async () => {
    const { identity, origin, browser } = await aVisit()
    const page = await browser.follow(await browser.get('/account'))
    const stranger = aBrowser(origin)

    expect(titleOf(await stranger.press(page, 'Sign in', pilot))).toBe('The cookie of this page is missing')
    await stranger.get('/account')
    expect(titleOf(await stranger.press(page, 'Sign in', pilot))).toBe('This request belongs to another browser')
    await identity.clock.advance(30 * minuteMs)
    expect(titleOf(await browser.press(page, 'Sign in', pilot))).toBe('This request has expired')
  })
})
