/** Concurrent approvals by one user in one browser, on every storage: each request is answered once. */
import { describe, expect, test } from 'vitest'
import { aBrowser, serve } from '../a-browser.ts'
import { anIdentity, mapViewCredentials } from '../an-identity.ts'
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

  test('if Approve and Deny are clicked concurrently, one of them counts for both answers', async () => {
    const identity = await anIdentity({ open })
    const browser = aBrowser(await serve(identity))
    const page = await browser.signIn(await browser.authorize())

    const answers = await Promise.all([browser.press(page, 'Approve'), browser.press(page, 'Deny')])

    expect(new Set(answers.map(({ location }) => location?.searchParams.get('error'))).size).toBe(1)
  })
})
