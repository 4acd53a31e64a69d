/** Until a user decides, an authorization request is in the URL of its pages, and nothing is stored. */
import { describe, expect, test } from 'vitest'
import { aBrowser, formWith, serve } from '../a-browser.ts'
import { aClient, anIdentity, pilot } from '../an-identity.ts'
import { storages } from '../stores.ts'

const longUri = `https://app.example/${'c'.repeat(1_980)}`

describe.each(storages)('on $name', ({ open }) => {
  test('requests, wrong passwords and visits without a session write nothing', async () => {
    const writes: string[] = []
    const identity = await anIdentity({
      open,
      wrapStore: (store) => ({
        ...store,
        async put(key, ...rest) {
          writes.push(key)
          await store.put(key, ...rest)
        },
        async replace(key, ...rest) {
          writes.push(key)
          return store.replace(key, ...rest)
        },
      }),
    })
    const browser = aBrowser(await serve(identity))

    const first = await browser.authorize()
    for (let n = 0; n < 20; n++) await browser.authorize({ state: String(n).padEnd(2_048, 's') })
    const visit = await browser.follow(await browser.get('/account'))
    for (const page of [first, visit]) {
      expect(page.status).toBe(200)
      const wrong = await browser.signIn(page, { email: pilot.email, password: 'wrong password' })
      expect(wrong.html).toContain('role="alert"')
    }

    expect(writes).toEqual([])
  })

  test('another process shows the page of a request and takes its decision', async () => {
    const identity = await anIdentity({ open })
    const first = aBrowser(await serve(identity))
    const second = aBrowser(await serve(await identity.another()))
    const page = await first.authorize()
    for (const [name, value] of first.cookies) second.cookies.set(name, value)

    const approval = await second.signIn(page)

    expect((await second.press(approval, 'Approve')).location?.searchParams.get('state')).toBe('b7f3')
  })
})

test('a state of 2,048 bytes is returned; a longer one is invalid_request and is not returned', async () => {
  const identity = await anIdentity()
  const browser = aBrowser(await serve(identity))
  const longest = 'ü'.repeat(1_024)
  const approval = await browser.signIn(await browser.authorize({ state: longest }))
  expect((await browser.press(approval, 'Approve')).location?.searchParams.get('state')).toBe(longest)

  const { status, location } = await browser.authorize({ state: `${longest}x` })

  expect([status, location?.origin]).toEqual([302, 'https://app.example'])
  expect(Object.fromEntries(location?.searchParams ?? [])).toEqual({
    error: 'invalid_request',
    error_description: 'state is longer than 2048 bytes',
    iss: 'https://auth.example',
  })
})

test.each([
  ['letters', 's'.repeat(2_048)],
  ['quotes', '"'.repeat(2_048)],
  ['control characters', '\u0001'.repeat(2_048)],
])('every URL stays below 8 KiB with a redirect URI of 2,000 characters and a state of 2,048 %s', async (_, state) => {
  const identity = await anIdentity()
  await identity.directory.insert('client', aClient({ id: 'long', redirectUris: [longUri] }))
  const browser = aBrowser(await serve(identity))
  const page = await browser.authorize({ client_id: 'long', redirect_uri: longUri, state })

  const wrong = await browser.press(page, 'Sign in', { email: `${'e'.repeat(242)}@example.com`, password: 'wrong one' })
  const action = formWith(await browser.follow(wrong), 'Sign in').action

  expect(wrong.status).toBe(303)
  expect(Math.max(action.length, wrong.location?.href.length ?? 0)).toBeLessThan(8_100)
})

test('a request of another kind, or one that was changed, has no page', async () => {
  const identity = await anIdentity()
  const browser = aBrowser(await serve(identity))
  const visit = (await browser.get('/account')).location?.pathname.replace('/account/sign-in/', '') ?? ''
  const request = formWith(await browser.authorize(), 'Sign in').action.split('/')[4] ?? ''
  const changed = `${request.slice(0, 40)}${request[40] === 'A' ? 'B' : 'A'}${request.slice(41)}`

  expect((await browser.get(`/oauth/v2/authorize/${request}`)).status).toBe(200)
  for (const sealed of [visit, changed, request.slice(0, -4), 'x'])
    expect((await browser.get(`/oauth/v2/authorize/${sealed}`)).status).toBe(400)
  expect((await browser.get(`/account/sign-in/${request}`)).status).toBe(400)
})

test('after 30 minutes the sign-in page has ended, for its form, too', async () => {
  const identity = await anIdentity()
  const browser = aBrowser(await serve(identity))
  const page = await browser.authorize()
  const visit = await browser.follow(await browser.get('/account'))
  const path = formWith(page, 'Sign in').action.replace('/sign-in', '')
  expect((await browser.get(path)).status).toBe(200)

  await identity.clock.advance(30 * 60_000)

  expect((await browser.get(path)).status).toBe(400)
  for (const shown of [page, visit]) expect((await browser.press(shown, 'Sign in', pilot)).status).toBe(400)
  expect(browser.cookies.has('__Host-posrep-session')).toBe(false)
})

test('an email or a path that is too long for the URL is left out of it', async () => {
  const browser = aBrowser(await serve(await anIdentity()))
  const typed = { email: 'e'.repeat(9_000), password: 'wrong password' }

  const wrong = await browser.press(await browser.authorize(), 'Sign in', typed)
  const visit = await browser.get(`/account/applications/${'a'.repeat(6_000)}/revoke`)

  expect(wrong.location?.href.length).toBeLessThan(1_000)
  expect((await browser.follow(wrong)).html).toContain('role="alert"')
  expect(visit.location?.href.length).toBeLessThan(1_000)
  expect((await browser.signIn(await browser.follow(visit))).url).toMatch(/\/account$/)
})
