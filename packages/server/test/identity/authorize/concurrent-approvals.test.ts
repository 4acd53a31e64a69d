/** Approvals and denials by one user in one browser, on every storage: each request is answered once. */
import { describe, expect, test } from 'vitest'
import { aBrowser, serve } from '../a-browser.ts'
import { anIdentity, mapViewCredentials, type TestIdentity } from '../an-identity.ts'
import { storages } from '../stores.ts'

const redirectUri = 'https://app.example/callback'

describe.each(storages)('on $name', ({ open }) => {
  test('five tabs that sign in and approve concurrently get five codes, each valid for its own request', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const states = ['one', 'two', 'three', 'four', 'five']
    const first = await browser.authorize({ state: 'one' })
    const others = await Promise.all(states.slice(1).map((state) => browser.authorize({ state })))

    const approvals = await Promise.all([first, ...others].map((page) => browser.signIn(page)))
    const answers = await Promise.all(approvals.map((page) => browser.press(page, 'Approve')))

    expect(answers.map(({ location }) => location?.searchParams.get('state'))).toEqual(states)
    const codes = answers.map(({ location }) => location?.searchParams.get('code'))
    expect(new Set(codes).size).toBe(5)
    for (const code of codes) {
      const request = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...mapViewCredentials }
      expect((await identity.token(request)).status).toBe(200)
    }
    expect(await identity.directory.list('consent')).toHaveLength(1)
  })

  test('five clicks on Approve give one code and one approval', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const page = await browser.signIn(await browser.authorize())

    const answers = await Promise.all(Array.from({ length: 5 }, () => browser.press(page, 'Approve')))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303]))
    expect(new Set(answers.map(({ location }) => location?.href)).size).toBe(1)
    expect(identity.audited.filter(({ event }) => event === 'approved')).toHaveLength(1)
  })

  test('if Approve and Deny are clicked concurrently, the denial counts and no code is valid', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const page = await browser.signIn(await browser.authorize())

    const answers = await Promise.all([browser.press(page, 'Approve'), browser.press(page, 'Deny')])

    expect(answers[1]?.location?.searchParams.get('error')).toBe('access_denied')
    expect(await redeem(identity, answers[0]?.location?.searchParams.get('code') ?? '')).toBe(400)
  })

  test('Deny after Approve voids the unused code and answers access_denied; Approve afterwards does not revive it', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const page = await browser.signIn(await browser.authorize())
    const approved = await browser.press(page, 'Approve')

    const denied = await browser.press(page, 'Deny')
    const again = await browser.press(page, 'Approve')

    for (const { status, location } of [denied, again]) {
      expect([status, location?.searchParams.get('error')]).toEqual([303, 'access_denied'])
      expect(location?.searchParams.get('state')).toBe('b7f3')
    }
    expect(await redeem(identity, approved.location?.searchParams.get('code') ?? '')).toBe(400)
    expect(identity.audited.map(({ event }) => event)).toContain('denied')
  })

  test('Deny after the client has used the code changes nothing and says so', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const page = await browser.signIn(await browser.authorize())
    const code = (await browser.press(page, 'Approve')).location?.searchParams.get('code')
    const request = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...mapViewCredentials }
    const issued = await identity.token(request)

    const { status, location } = await browser.press(page, 'Deny')

    expect([status, location]).toEqual([400, undefined])
    expect((await identity.refresh(issued.body.refresh_token)).status).toBe(200)
  })

  test('a request that one user has approved gives no code to another user of the same browser', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const signIn = await browser.authorize()
    const other = { email: 'other@example.com', password: 'a long password' }
    const shownToOther = await browser.follow(await browser.press(signIn, 'Create account', other))
    await browser.press(await browser.signIn(signIn), 'Approve')
    await browser.press(await browser.authorize(), 'Not you? Sign in as someone else')
    await browser.press(signIn, 'Sign in', other)

    const { status, location } = await browser.press(shownToOther, 'Approve')

    expect([status, location]).toEqual([400, undefined])
  })
})

async function redeem(identity: TestIdentity, code: string): Promise<number> {
  const request = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...mapViewCredentials }
  return (await identity.token(request)).status
}
