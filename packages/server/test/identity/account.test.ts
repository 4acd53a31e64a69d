import { expect, test } from 'vitest'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import { aBrowser, formWith, serve } from './a-browser.ts'
import { aClient, anIdentity, type IdentityTestOptions, mapViewCredentials, pilot } from './an-identity.ts'

const minuteMs = 60_000
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function aVisit(options: IdentityTestOptions = {}) {
  const identity = await anIdentity(options)
  const origin = await serve(identity)
  return { identity, origin, browser: aBrowser(origin) }
}

test('a visitor who is not signed in signs in first and returns to the requested page', async () => {
  const { browser } = await aVisit()

  const redirect = await browser.get('/account/applications/map-view/revoke')
  const signIn = await browser.follow(redirect)
  const back = await browser.press(signIn, 'Sign in', pilot)

  expect(redirect.status).toBe(303)
  expect(redirect.location?.pathname).toMatch(/^\/account\/sign-in\/[\w-]+$/)
  expect(signIn.html).toContain('your account')
  expect(back.status).toBe(303)
  expect(back.location?.pathname).toBe('/account/applications/map-view/revoke')
})

test.each(['?returnTo=https://evil.example', '?destination=//evil.example', '?next=javascript:alert(1)'])(
  'the query %s does not change where a sign-in leads',
  async (query) => {
    const { browser } = await aVisit()
    const signIn = await browser.follow(await browser.get(`/account${query}`))
    const { action, hidden, button } = formWith(signIn, 'Sign in')

    const { location } = await browser.post(`${action}${query}`, {
      ...hidden,
      ...button,
      ...pilot,
      destination: 'https://evil.example',
    })

    expect(location?.pathname).toBe('/account')
    expect(location?.host).not.toContain('evil')
    expect(location?.search).toBe('')
  },
)

test('a sign-in for the account page is valid in one browser, with its form, for 30 minutes', async () => {
  const { identity, origin, browser } = await aVisit()
  const signIn = await browser.follow(await browser.get('/account'))
  const { action, hidden } = formWith(signIn, 'Sign in')
  const other = aBrowser(origin)
  await other.get('/account')

  expect((await other.get(action)).status).toBe(400)
  expect((await other.post(action, { ...hidden, ...pilot })).status).toBe(403)
  expect((await browser.post(action, { ...pilot, form_token: 'x'.repeat(43) })).status).toBe(403)
  expect((await browser.get('/account/sign-in/unknown')).status).toBe(400)
  await identity.clock.advance(30 * minuteMs)
  expect((await browser.post(action, { ...hidden, ...pilot })).status).toBe(400)
})

test('a wrong password shows an error on the same page, with the email as it was typed', async () => {
  const { browser } = await aVisit()

  const page = await browser.openAccount({ email: pilot.email, password: 'wrong password' })

  expect(page.html).toContain('role="alert"')
  expect(page.html).toContain(`value="${pilot.email}"`)
  expect((await browser.signIn(page)).html).toContain('Your account')
})

test('account pages cannot be framed, send no referrer, are not cached and run no foreign scripts', async () => {
  const { browser } = await aVisit()
  const redirect = await browser.get('/account')
  await browser.approve()
  const account = await browser.get('/account')
  const question = await browser.click(account, 'Revoke Map view')
  const missing = await browser.get('/account/nothing')

  expect(missing.status).toBe(404)
  for (const { headers } of [redirect, account, question, missing]) {
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).toMatch(/form-action 'self'( https:[^ ]+)?;/)
    expect(headers.get('content-security-policy')).not.toMatch(/unsafe|script-src(?! 'self';)/)
  }
  for (const { html } of [account, question])
    expect(html).not.toMatch(/<script(?! type="module" src="\/posrep-assets\/)|<style|style=|\son\w+=/)
})

test('the account page lists the applications with owner, scopes in words, approval and last use', async () => {
  const { identity, browser } = await aVisit()
  expect((await browser.openAccount()).html).toContain('No applications yet')
  const callback = await browser.approve()
  const { body } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: 'https://app.example/callback',
  })

  const unused = await browser.get('/account')
  await identity.clock.advance(5 * minuteMs)
  await identity.verifyAccessToken(body.access_token ?? '', 'user')
  await identity.clock.advance(2 * minuteMs)
  const used = await browser.get('/account')

  for (const text of ['Map view', 'Acme Sensing', 'See your devices', '0 s ago', 'not yet']) {
    expect(unused.html).toContain(text)
  }
  expect(used.html).toContain('06:00:00 UTC')
  expect(used.html).toContain('06:05:00 UTC')
  expect(used.html).toContain('datetime="2026-01-07T06:05:00.000Z"')
  expect(used.html).toContain('data-exact="2026-01-07 06:05:00 UTC"')
})

test('1,000 applications are listed on 40 pages, last used first, and only those of the page are read', async () => {
  let finds = 0
  const { identity, browser } = await aVisit({
    open: async ({ clock }) => {
      const { directory, ...storage } = memoryStorage({ clock })
      const find: typeof directory.find = (kind, id) => {
        finds++
        return directory.find(kind, id)
      }
      return { ...storage, directory: { ...directory, find } }
    },
  })
  const { directory, clock } = identity
  const name = (n: number) => `app-${String(n).padStart(4, '0')}`
  await directory.insertAll(
    'client',
    Array.from({ length: 1_000 }, (_, n) => aClient({ id: name(n), name: name(n) })),
  )
  await directory.insertAll(
    'consent',
    Array.from({ length: 1_000 }, (_, n) => ({
      id: `${pilot.id}:${name(n)}`,
      userId: pilot.id,
      clientId: name(n),
      scopes: ['profile'],
      grantedAtMs: clock.now() - n * 1_000,
      lastUsedAtMs: null,
    })),
  )
  await browser.openAccount()
  const namesOn = async (path: string) => (await browser.get(path)).html.match(/(?<=<bdi>)app-\d+/g)

  finds = 0
  const first = await browser.get('/account')
  expect(finds).toBeLessThan(60)
  expect(first.html).toContain('1000 applications')
  expect(first.html).toContain('Page 1 of 40')
  expect(first.html).toContain('href="/account?page=2"')

  const page = (n: number) => Array.from({ length: 25 }, (_, index) => name((n - 1) * 25 + index))
  expect(await namesOn('/account')).toEqual(page(1))
  expect(await namesOn('/account?page=2')).toEqual(page(2))
  expect(await namesOn('/account?page=40')).toEqual(page(40))
  expect(await namesOn('/account?page=41')).toEqual(page(40))
  for (const nonsense of ['0', '-1', '1e9', 'x', '%00']) {
    expect(await namesOn(`/account?page=${nonsense}`)).toEqual(page(1))
  }
})

test('the last use of an approval is written at most once a minute', async () => {
  const { identity, browser } = await aVisit()
  const callback = await browser.approve()
  const { body } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: 'https://app.example/callback',
  })
  let writes = 0
  const { update } = identity.directory
  identity.directory.update = (...given) => {
    writes++
    return update(...given)
  }

  for (let second = 0; second < 130; second++) {
    await identity.verifyAccessToken(body.access_token ?? '', 'user')
    await identity.clock.advance(1_000)
  }

  expect(writes).toBe(3)
})

test('a later approval adds its scopes and keeps the time of the last use', async () => {
  const { identity, browser } = await aVisit()
  await browser.approve({ scope: 'profile' })
  await identity.directory.update('consent', `${pilot.id}:map-view`, (consent) => ({ ...consent, lastUsedAtMs: 1 }))
  await identity.clock.advance(minuteMs)
  await browser.approve({ scope: 'surveillance_api' })

  expect(await identity.directory.list('consent')).toMatchObject([
    { scopes: ['profile', 'surveillance_api'], grantedAtMs: identity.clock.now(), lastUsedAtMs: 1 },
  ])
})

test('revoking asks for confirmation, names the application and ends its tokens at once', async () => {
  const { identity, browser } = await aVisit()
  const callback = await browser.approve()
  const { body } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: 'https://app.example/callback',
  })

  const question = await browser.click(await browser.get('/account'), 'Revoke Map view')
  expect(question.html).toMatch(/Revoke the access of <bdi>Map view<\/bdi>\?/)
  expect(await identity.directory.list('consent')).toHaveLength(1)
  const redirect = await browser.press(question, 'Revoke access')
  const account = await browser.follow(redirect)

  expect(redirect.status).toBe(303)
  expect(account.html).toContain('Access was revoked')
  expect(account.html).toContain('No applications yet')
  await expect(identity.verifyAccessToken(body.access_token ?? '', 'user')).rejects.toMatchObject({
    code: 'invalid_token',
  })
  expect((await identity.refresh(body.refresh_token)).status).toBe(401)
  expect(identity.audited.filter(({ event }) => event === 'access-revoked')).toHaveLength(1)
})

test('revoking twice has the effect of revoking once', async () => {
  const { identity, browser } = await aVisit()
  await browser.approve()
  const question = await browser.click(await browser.get('/account'), 'Revoke Map view')

  const clicks = await Promise.all([1, 2].map(() => browser.press(question, 'Revoke access')))

  expect(clicks.map(({ status, location }) => [status, location?.pathname])).toEqual([
    [303, '/account'],
    [303, '/account'],
  ])
  expect(identity.audited.filter(({ event }) => event === 'access-revoked')).toHaveLength(1)
})

test("a code issued before the application's access was revoked is refused", async () => {
  const { identity, browser } = await aVisit()
  const callback = await browser.approve()
  await browser.press(await browser.click(await browser.get('/account'), 'Revoke Map view'), 'Revoke access')

  const { status, body } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: 'https://app.example/callback',
  })

  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('an application whose id has special characters can be revoked, and a removed one is shown by its id', async () => {
  const { identity, browser } = await aVisit()
  const id = 'a/b c?d#e%f"<'
  await identity.directory.insert('client', aClient({ id, name: 'Odd' }))
  await browser.approve({ client_id: id })
  await identity.directory.remove('client', id)

  const account = await browser.get('/account')
  const href = /href="(\/account\/applications\/[^"]*)"/.exec(account.html)?.[1] ?? ''
  const question = await browser.get(href)
  const after = await browser.follow(await browser.press(question, 'Revoke access'))

  expect(account.html).toContain('a/b c?d#e%f&quot;&lt;')
  expect(after.html).toContain('No applications yet')
})

test('sessions are listed with start, last use, address and browser, show which one is current, and can be ended', async () => {
  const { identity, origin, browser } = await aVisit()
  const elsewhere = aBrowser(origin, { 'user-agent': firefox })
  await elsewhere.openAccount()
  await identity.clock.advance(90 * minuteMs)

  const account = await browser.openAccount()
  expect(account.html).toContain('Firefox on Linux')
  expect(account.html).toContain('06:00:00 UTC')
  expect(account.html).toContain('127.0.0.1')
  expect(account.html.match(/This browser/g)).toHaveLength(1)
  const question = await browser.click(account, 'End the session of Firefox on Linux, seen 06:00:00 UTC')
  const after = await browser.follow(await browser.press(question, 'End session'))

  expect(after.html).toContain('The session has ended')
  expect(after.html).not.toContain('Firefox')
  expect((await elsewhere.get('/account')).status).toBe(303)
})

test('the last use of a session is stored to the minute', async () => {
  const { identity, browser } = await aVisit()
  await browser.openAccount()

  await identity.clock.advance(30 * minuteMs)
  await browser.get('/account')
  await identity.clock.advance(2 * minuteMs)
  const { html } = await browser.get('/account')

  expect(html).toMatch(/Last seen<\/dt><dd><time[^>]*>0 s ago/)
})

test('a session above the limit of 50 ends the one that was seen longest ago', async () => {
  const { identity, origin, browser } = await aVisit()
  await browser.openAccount()
  for (let other = 0; other < 50; other++) {
    await identity.clock.advance(1)
    await aBrowser(origin).openAccount()
  }

  expect((await browser.get('/account')).status).toBe(303)
})

test('a double click on "Sign in" begins one session', async () => {
  const { browser } = await aVisit()
  const signIn = await browser.follow(await browser.get('/account'))

  await Promise.all([1, 2].map(() => browser.press(signIn, 'Sign in', pilot)))

  const { html } = await browser.get('/account')
  expect(html.match(/>End</g)).toHaveLength(1)
})

test('signing out ends the session', async () => {
  const { identity, browser } = await aVisit()
  const account = await browser.openAccount()
  const session = browser.cookies.get('__Host-posrep-session') ?? ''

  const redirect = await browser.press(account, 'Sign out')

  expect([redirect.status, redirect.location?.pathname]).toEqual([303, '/portal/signed-out'])
  browser.cookies.set('__Host-posrep-session', session)
  expect((await browser.get('/account')).status).toBe(303)
  expect(identity.audited.at(-1)).toEqual({ event: 'signed-out', userId: pilot.id })
})

test('a password change ends all other sessions and all tokens; this browser stays signed in, under a new id', async () => {
  const { identity, origin, browser } = await aVisit()
  const elsewhere = aBrowser(origin)
  const callback = await elsewhere.approve()
  const { body } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: 'https://app.example/callback',
  })
  const account = await browser.openAccount()
  const session = browser.cookies.get('__Host-posrep-session')
  await identity.clock.advance(1)

  const typed = { current_password: pilot.password, new_password: 'another horse 43' }
  const redirect = await browser.press(account, 'Change password', typed)
  const after = await browser.follow(redirect)

  expect(redirect.status).toBe(303)
  expect(after.html).toContain('Your password was changed')
  expect(browser.cookies.get('__Host-posrep-session')).not.toBe(session)
  expect((await elsewhere.get('/account')).status).toBe(303)
  await expect(identity.verifyAccessToken(body.access_token ?? '', 'user')).rejects.toMatchObject({
    code: 'invalid_token',
  })
  expect((await identity.refresh(body.refresh_token)).status).toBe(401)
  expect((await aBrowser(origin).openAccount()).html).toContain('The email or the password is wrong')
  const next = await aBrowser(origin).openAccount({ email: pilot.email, password: 'another horse 43' })
  expect(next.html).toContain('Your account')
})

test('after ten wrong current passwords the next one is refused unexamined', async () => {
  const { browser } = await aVisit()
  const account = await browser.openAccount()
  const wrong = { current_password: 'wrong password', new_password: 'another horse 43' }
  const change = async () => (await browser.press(account, 'Change password', wrong)).status

  for (let n = 0; n < 10; n++) expect(await change()).toBe(303)
  expect(await change()).toBe(429)
})

test('a code issued before a password change is refused', async () => {
  const { identity, browser } = await aVisit()
  const callback = await browser.approve()
  await browser.press(await browser.get('/account'), 'Change password', {
    current_password: pilot.password,
    new_password: 'another horse 43',
  })

  const { status, body } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: callback.searchParams.get('code'),
    redirect_uri: 'https://app.example/callback',
  })

  expect([status, body.error]).toEqual([400, 'invalid_grant'])
})

test('a double click changes the password once, and this browser stays signed in with one session', async () => {
  const { identity, browser } = await aVisit()
  const account = await browser.openAccount()
  const typed = { current_password: pilot.password, new_password: 'another horse 43' }

  const clicks = await Promise.all([1, 2].map(() => browser.press(account, 'Change password', typed)))

  expect(clicks.map(({ status }) => status)).toEqual([303, 303])
  expect((await browser.get('/account')).html.match(/>End</g)).toHaveLength(1)
  expect(identity.audited.map(({ event }) => event)).toContain('password-changed')
})

test('a password change whose answer was lost can be repeated, with the new password only', async () => {
  const { browser } = await aVisit()
  const account = await browser.openAccount()
  const session = browser.cookies.get('__Host-posrep-session') ?? ''
  const typed = { current_password: pilot.password, new_password: 'another horse 43' }
  await browser.press(account, 'Change password', typed)

  browser.cookies.set('__Host-posrep-session', session)
  const other = await browser.press(account, 'Change password', { ...typed, new_password: 'some other horse' })
  const same = await browser.press(account, 'Change password', typed)

  expect([other.status, same.status]).toEqual([403, 303])
  expect((await browser.follow(same)).html).toContain('Your password was changed')
})

test.each([
  ['a wrong current password', { current_password: 'wrong password', new_password: 'another horse 43' }, 'current'],
  ['a common new one', { current_password: pilot.password, new_password: 'qwertyuiop' }, 'new'],
  ['a short new one', { current_password: pilot.password, new_password: '1234567' }, 'new'],
])(
  '%s changes nothing and shows an error at the field and in a summary that gets the focus',
  async (_name, typed, field) => {
    const { browser } = await aVisit()

    const page = await browser.follow(await browser.press(await browser.openAccount(), 'Change password', typed))

    expect(page.html).toMatch(/<p class="failure"[^>]*role="alert"[^>]*autofocus/)
    expect(page.html).toMatch(new RegExp(`<input id="${field}-password"[^>]*aria-invalid="true"`))
    expect(page.html).toContain(`id="${field}-password-wrong"`)
    expect((await browser.get('/account')).html).not.toContain('role="alert"')
    expect((await browser.openAccount().catch(() => browser.get('/account'))).html).toContain('Your account')
  },
)

test("a form without this session's token is refused and changes nothing", async () => {
  const { identity, origin, browser } = await aVisit()
  await browser.approve()
  const account = await browser.get('/account')
  const attacker = aBrowser(origin)
  const theirs = await attacker.openAccount()
  const revoke = await browser.click(account, 'Revoke Map view')
  const end = await browser.get(/href="(\/account\/sessions\/[^"]*)"/.exec(account.html)?.[1] ?? '')
  const forms = [
    [formWith(account, 'Sign out'), {}],
    [formWith(account, 'Change password'), { current_password: pilot.password, new_password: 'another horse 43' }],
    [formWith(revoke, 'Revoke access'), {}],
    [formWith(end, 'End session'), {}],
  ] as const
  const forgeries = [{}, { form_token: '' }, { form_token: 'x'.repeat(43) }, formWith(theirs, 'Sign out').hidden]

  for (const [{ action }, typed] of forms) {
    for (const forgery of forgeries) expect((await browser.post(action, { ...typed, ...forgery })).status).toBe(403)
  }
  for (const [{ action, hidden }, typed] of forms) {
    expect((await attacker.post(action, { ...hidden, ...typed })).status).toBe(403)
  }
  expect((await browser.get('/account')).html).toContain('Map view')
  expect(identity.audited.map(({ event }) => event)).not.toContain('password-changed')
})

test('a disabled user is signed out, and a sign-in fails with the message of a wrong password', async () => {
  const { identity, origin, browser } = await aVisit()
  await browser.openAccount()
  await identity.directory.update('user', pilot.id, (user) => ({ ...user, disabled: true }))

  expect((await browser.get('/account')).status).toBe(303)
  const refused = await aBrowser(origin).openAccount()
  expect(refused.html).toContain('The email or the password is wrong')
  const created = aBrowser(origin)
  const signUp = await created.press(await created.follow(await created.get('/account')), 'Create account', pilot)
  expect((await created.follow(signUp)).html).toContain('The email or the password is wrong')
})

test('sessions end when an operator revokes the user or changes the password', async () => {
  const { identity, browser } = await aVisit()
  await browser.openAccount()
  await identity.end({ kind: 'user', userId: pilot.id })

  expect((await browser.get('/account')).status).toBe(303)
  expect((await browser.openAccount()).html.match(/>End</g)).toHaveLength(1)
  await identity.directory.update('user', pilot.id, (user) => ({ ...user, passwordHash: `${user.passwordHash}x` }))
  expect((await browser.get('/account')).status).toBe(303)
})

test('an approval during a password change gives no valid code', async () => {
  const { identity, browser } = await aVisit()
  const approval = await browser.signIn(await browser.authorize())
  const account = await browser.get('/account')
  const typed = { current_password: pilot.password, new_password: 'another horse 43' }

  const [, approved] = await Promise.all([
    browser.press(account, 'Change password', typed),
    browser.press(approval, 'Approve'),
  ])

  const { status } = await identity.token({
    ...mapViewCredentials,
    grant_type: 'authorization_code',
    code: approved?.location?.searchParams.get('code') ?? 'none',
    redirect_uri: 'https://app.example/callback',
  })
  expect(status).toBe(400)
})

test('the address of a form leads to its page', async () => {
  const { browser } = await aVisit()

  for (const path of ['/account/password', '/account/sign-out']) {
    expect((await browser.get(path)).location?.pathname).toBe('/account')
  }
  const { action } = formWith(await browser.authorize(), 'Sign in')
  expect((await browser.get(action)).location?.pathname).toBe(action.replace('/sign-in', ''))
})

test('one button ends all other sessions, and not this one', async () => {
  const { origin, browser } = await aVisit()
  const others = [aBrowser(origin), aBrowser(origin)]
  for (const other of others) await other.openAccount(pilot)
  const page = await browser.openAccount(pilot)

  const after = await browser.follow(await browser.press(page, 'End all others'))

  expect(after.html).toContain('All other sessions have ended')
  expect(after.html).not.toContain('End all others')
  for (const other of others) expect((await other.get('/account')).location?.pathname).toMatch(/^\/account\/sign-in\//)
  expect((await browser.get('/account')).html).toContain('Your account')
})
