import { expect, test } from 'vitest'
import { ApiError } from '../../../src/errors.ts'
import { aBrowser, authorizePath, formWith, type Page, serve } from '../a-browser.ts'
import { anIdentity, type IdentityTestOptions, pilot } from '../an-identity.ts'

const sessionCookie = '__Host-posrep-session'

async function aVisit(options: IdentityTestOptions = {}) {
  const identity = await anIdentity(options)
  const origin = await serve(identity)
  return { identity, origin, browser: aBrowser(origin) }
}

/** The page's HTML without the sealed request in the form's target, which differs each time. */
function withoutRequest({ html }: Page): string {
  return html.replace(/(action="\/oauth\/v2\/authorize\/)[\w-]+/, '$1')
}

test('the sign-in page has labelled fields and both buttons, and works without a script', async () => {
  const { browser } = await aVisit()

  const { status, html } = await browser.authorize()

  expect(status).toBe(200)
  expect(html).toMatch(/^<!doctype html><html lang="en">/)
  expect(html).toMatch(/<label for="email">Email<\/label><input id="email" name="email" type="email"/)
  expect(html).toMatch(/<label for="password">Password<\/label><input id="password" name="password" type="password"/)
  expect(html).toMatch(/<button[^>]*>Sign in<\/button>/)
  expect(html).toMatch(/<button[^>]*>Create account<\/button>/)
  expect(html).toContain('Map view')
  expect(html).not.toMatch(/<script(?! type="module" src="\/posrep-assets\/)|<style|style=|\son\w+=/)
})

test('the approval page and the account page show invisible characters in the names of an application and its account', async () => {
  const { identity, browser } = await aVisit()
  await identity.directory.update('client', 'map-view', (client) => ({ ...client, name: 'Map\u200b view' }))
  await identity.directory.update('account', 'acme', (account) => ({ ...account, name: 'Acme\u202e' }))
  const approval = await browser.signIn(await browser.authorize())
  await browser.press(approval, 'Approve')
  const account = await browser.get('/account')
  for (const { html } of [approval, account]) {
    expect(html).toContain('<bdi>Map\\u200b view</bdi>')
    expect(html).toContain('<bdi>Acme\\u202e</bdi>')
    expect(html).not.toMatch(/[\u200b\u202e]/)
  }
})

test('the approval page shows the application, its account, its return address, the user, and each scope in words', async () => {
  const { browser } = await aVisit()

  const page = await browser.signIn(await browser.authorize({ scope: 'surveillance_api profile' }))

  expect(page.html).toMatch(/<button[^>]*>Approve<\/button>/)
  expect(page.html).toMatch(/<button[^>]*>Deny<\/button>/)
  for (const text of ['Map view', 'Acme Sensing', 'app.example', pilot.email, 'See your devices', 'profile']) {
    expect(page.html).toContain(text)
  }
})

test('every authorization request asks for approval', async () => {
  const { browser } = await aVisit()
  await browser.approve()

  const again = await browser.authorize()

  expect(again.html).toMatch(/<button[^>]*>Approve<\/button>/)
})

test('pages run no foreign scripts, the approval page none, cannot be framed, send no referrer and are not cached', async () => {
  const { browser } = await aVisit()
  const signIn = await browser.authorize()
  const approval = await browser.signIn(signIn)
  const error = await browser.authorize({ client_id: 'nobody' })

  for (const { headers } of [signIn, approval, error]) {
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    // An application keeps its reference to a popup that it opened.
    expect(headers.get('cross-origin-opener-policy')).toBeNull()
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|script-src(?! 'self';)/)
  }
  expect(approval.headers.get('content-security-policy')).not.toContain('script-src')
  expect(signIn.headers.get('content-security-policy')).toContain("form-action 'self';")
  expect(approval.headers.get('content-security-policy')).toContain("form-action 'self' https://app.example;")
})

test('the stylesheet comes from this server and may be cached forever', async () => {
  const { browser } = await aVisit()
  const { html } = await browser.authorize()
  const href = /<link rel="stylesheet" href="([^"]*)"/.exec(html)?.[1] ?? ''

  const { status, headers, html: css } = await browser.get(href)

  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('text/css; charset=utf-8')
  expect(headers.get('cache-control')).toContain('immutable')
  expect(css).toContain('light-dark(')
  expect(css).not.toMatch(/url\(|@import/)
})

test('the audit log has the user and the network address of a sign-in, but not the typed email or password', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.authorize()
  await browser.signIn(page, { email: 'typed@example.com', password: 'typed by mistake' })
  await browser.signIn(page)

  const address = expect.stringMatching(/127\.0\.0\.1$/)
  expect(identity.audited).toEqual([
    { event: 'sign-in-failed', address },
    { event: 'signed-in', userId: pilot.id, address },
  ])
})

test('a wrong password and an unknown email show the same message and keep the typed email', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.authorize()

  const wrong = await browser.signIn(page, { email: pilot.email, password: 'wrong password' })
  const unknown = await browser.signIn(page, { email: 'no@example.com', password: 'wrong password' })

  expect(wrong.html).toContain('role="alert"')
  expect(wrong.html).toContain(`value="${pilot.email}"`)
  expect(withoutRequest(unknown).replaceAll('no@example.com', pilot.email)).toBe(withoutRequest(wrong))
  expect(unknown.status).toBe(wrong.status)
  expect(browser.cookies.has(sessionCookie)).toBe(false)
  expect(identity.audited.map(({ event }) => event)).toEqual(['sign-in-failed', 'sign-in-failed'])
  expect((await browser.signIn(wrong)).html).toContain('Approve')
})

test('the page shows typed markup as text', async () => {
  const { browser } = await aVisit()

  const page = await browser.signIn(await browser.authorize(), { email: '"><script>alert(1)</script>', password: 'x' })

  expect(page.html).not.toContain('<script>')
})

test('a user created at the login step gets a new account', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.authorize()

  const redirect = await browser.press(page, 'Create account', {
    email: ' New@Example.com',
    password: 'a long password',
  })
  const approval = await browser.follow(redirect)

  expect(redirect.status).toBe(303)
  expect(approval.html).toContain('new@example.com')
  const [user] = await identity.directory.list('user', { where: { index: 'email', equals: 'new@example.com' } })
  expect(user?.accountId).not.toBe('acme')
  expect(await identity.directory.find('account', user?.accountId ?? '')).toMatchObject({ name: 'new@example.com' })
  expect(user?.passwordHash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
})

test('creating an existing account signs in with the right password, and fails like a sign-in with a wrong one', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.authorize()

  const wrong = await browser.follow(
    await browser.press(page, 'Create account', { email: pilot.email, password: 'another password' }),
  )
  const failedSignIn = await browser.signIn(page, { email: pilot.email, password: 'another password' })
  const right = await browser.follow(
    await browser.press(page, 'Create account', { email: pilot.email, password: pilot.password }),
  )

  expect(withoutRequest(wrong)).toBe(withoutRequest(failedSignIn))
  expect(right.html).toContain('Approve')
  expect(await identity.directory.list('user')).toHaveLength(1)
})

test.each([
  ['a short password', { email: 'new@example.com', password: '1234567' }, 'password must have 8 to 256 characters'],
  ['a common password', { email: 'new@example.com', password: 'Password123' }, 'many people have this password'],
  ['no email address', { email: 'new', password: 'a long password' }, 'email address'],
])('no account is created with %s, and the page says why', async (_name, typed, words) => {
  const { identity, browser } = await aVisit()

  const page = await browser.follow(await browser.press(await browser.authorize(), 'Create account', typed))

  expect(page.html).toContain(words)
  expect(await identity.directory.list('user')).toHaveLength(1)
})

test('without sign-up the page has no button for it and says whom to ask, and a form that was made for it creates nothing', async () => {
  const { identity, browser } = await aVisit({ canSignUp: false })
  const page = await browser.authorize()

  expect(page.html).not.toContain('Create account')
  expect(page.html).toContain('Ask the operator of this server')
  const { action, hidden } = formWith(page, 'Sign in')
  const typed = { email: 'new@example.com', password: 'a long password', action: 'create-account' }
  const refused = await browser.follow(await browser.post(action, { ...hidden, ...typed }))
  expect(refused.html).toContain('No account was created: ask the operator of this server for one')
  expect(await identity.directory.list('user')).toHaveLength(1)
  expect((await browser.follow(await browser.press(page, 'Sign in', pilot))).html).toContain('Approve')
})

test('two concurrent creations with one email make one account', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.authorize()
  const typed = { email: 'new@example.com', password: 'a long password' }

  await Promise.all([1, 2].map(() => browser.press(page, 'Create account', typed)))

  expect(await identity.directory.list('user')).toHaveLength(2)
  expect(await identity.directory.list('account')).toHaveLength(3)
})

test('the session cookie is only for this host and HTTPS, and is new at each sign-in', async () => {
  const { browser } = await aVisit()
  const page = await browser.authorize()
  const planted = 'p'.repeat(43)
  browser.cookies.set(sessionCookie, planted)

  const redirect = await browser.press(page, 'Sign in', pilot)
  const first = browser.cookies.get(sessionCookie)

  expect(redirect.status).toBe(303)
  expect(redirect.headers.getSetCookie()).toEqual([
    `${sessionCookie}=${first}; Max-Age=43200; Path=/; Secure; HttpOnly; SameSite=Lax`,
    expect.stringMatching(/^__Host-posrep-known=[\w-]{43}; Max-Age=15552000; Path=\/; Secure; HttpOnly; SameSite=Lax$/),
  ])
  expect(first).not.toBe(planted)

  await browser.press(page, 'Sign in', pilot)
  const second = browser.cookies.get(sessionCookie)
  expect(second).not.toBe(first)
  browser.cookies.set(sessionCookie, first ?? '')
  expect((await browser.authorize()).html).toContain('Sign in')
})

test('a session ends after 12 hours', async () => {
  const { identity, browser } = await aVisit()
  await browser.approve()

  await identity.clock.advance(12 * 60 * 60_000 - 1)
  expect((await browser.authorize()).html).toContain('Approve')
  await identity.clock.advance(1)
  expect((await browser.authorize()).html).toContain('Create account')
})

test('a form without the token of its page is refused and changes nothing', async () => {
  const { identity, origin, browser } = await aVisit()
  const attacker = aBrowser(origin)
  const signInPage = await browser.authorize()
  const signIn = formWith(signInPage, 'Sign in')
  const theirs = formWith(await attacker.authorize(), 'Sign in')
  const forgeries = [{}, { form_token: '' }, { form_token: 'x'.repeat(43) }, theirs.hidden]

  for (const forgery of forgeries) {
    expect((await browser.post(signIn.action, { ...pilot, ...forgery })).status).toBe(403)
  }
  // Login CSRF: the victim's browser sends the attacker's form, and the reverse.
  expect((await browser.post(theirs.action, { ...theirs.hidden, ...pilot })).status).toBe(403)
  expect((await attacker.post(signIn.action, { ...signIn.hidden, ...pilot })).status).toBe(403)
  expect(browser.cookies.has(sessionCookie)).toBe(false)

  const approvalPage = await browser.signIn(signInPage)
  const approve = formWith(approvalPage, 'Approve')
  const theirApproval = formWith(await attacker.signIn(await attacker.authorize()), 'Approve')
  const session = browser.cookies.get(sessionCookie)
  for (const forgery of [...forgeries, signIn.hidden, theirApproval.hidden]) {
    const answer = await browser.post(approve.action, { decision: 'approve', ...forgery })
    expect(answer.status).toBe(403)
    expect(answer.location).toBeUndefined()
  }
  expect(browser.cookies.get(sessionCookie)).toBe(session)
  expect(identity.audited.map(({ event }) => event)).not.toContain('approved')
})

test('a forged form on the approval page does not sign out', async () => {
  const { origin, browser } = await aVisit()
  const { action } = formWith(await browser.signIn(await browser.authorize()), 'Not you? Sign in as someone else')
  const attacker = aBrowser(origin)
  const approval = await attacker.signIn(await attacker.authorize())
  const theirs = formWith(approval, 'Not you? Sign in as someone else')

  for (const forgery of [{}, { form_token: 'x'.repeat(43) }, theirs.hidden]) {
    expect((await browser.post(action, forgery)).status).toBe(403)
  }

  expect((await browser.authorize()).html).toContain('Approve')
})

test('an approval form with additional fields is refused', async () => {
  const { browser } = await aVisit()
  const { action, hidden } = formWith(await browser.signIn(await browser.authorize()), 'Approve')
  const tampered = [
    { ...hidden, decision: 'approve', client_id: 'rival' },
    { ...hidden, decision: 'approve', scope: 'admin' },
    { ...hidden, decision: 'yes' },
    { ...hidden },
  ]

  for (const fields of tampered) expect((await browser.post(action, fields)).status).toBe(400)
  const repeated = `form_token=${hidden.form_token}&decision=approve&decision=deny`
  expect((await browser.post(action, repeated)).status).toBe(400)
})

test("an approval's token is valid only for its own request", async () => {
  const { browser } = await aVisit()
  const narrow = formWith(await browser.signIn(await browser.authorize({ scope: 'profile' })), 'Approve')
  const wide = formWith(await browser.authorize({ scope: 'surveillance_api' }), 'Approve')

  expect((await browser.post(wide.action, { ...narrow.hidden, decision: 'approve' })).status).toBe(403)
})

test('a user who signs in after the approval page was shown cannot approve with it', async () => {
  const { browser } = await aVisit()
  const shownToPilot = await browser.signIn(await browser.authorize())
  await browser.press(shownToPilot, 'Not you? Sign in as someone else')
  const other = { email: 'other@example.com', password: 'a long password' }
  await browser.press(await browser.authorize(), 'Create account', other)

  const answer = await browser.press(shownToPilot, 'Approve')

  expect(answer.status).toBe(403)
})

test('"Not you? Sign in as someone else" ends the session and asks to sign in', async () => {
  const { browser } = await aVisit()

  const redirect = await browser.press(
    await browser.signIn(await browser.authorize()),
    'Not you? Sign in as someone else',
  )

  expect(redirect.status).toBe(303)
  expect(browser.cookies.has(sessionCookie)).toBe(false)
  expect((await browser.follow(redirect)).html).toContain('Create account')
})

test('a user who denies is redirected with access_denied and the state', async () => {
  const { identity, browser } = await aVisit()

  const { status, location } = await browser.press(await browser.signIn(await browser.authorize()), 'Deny')

  expect(status).toBe(303)
  expect(location?.searchParams.get('error')).toBe('access_denied')
  expect(location?.searchParams.get('state')).toBe('b7f3')
  expect(location?.searchParams.has('code')).toBe(false)
  expect(await identity.directory.list('consent')).toHaveLength(0)
})

test('a double click approves once: both clicks lead to the same code', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.signIn(await browser.authorize())

  const [first, second] = await Promise.all([browser.press(page, 'Approve'), browser.press(page, 'Approve')])

  expect(first?.status).toBe(303)
  expect(second?.location?.href).toBe(first?.location?.href)
  expect(identity.audited.filter(({ event }) => event === 'approved')).toHaveLength(1)
  expect(await identity.directory.list('consent')).toMatchObject([
    { userId: pilot.id, clientId: 'map-view', scopes: ['surveillance_api'], grantedAtMs: identity.clock.now() },
  ])
})

test('once the client has used the code, a later answer to the request gets a page that says so', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.signIn(await browser.authorize())
  const approved = await browser.press(page, 'Approve')
  const code = approved.location?.searchParams.get('code')
  const request = { grant_type: 'authorization_code', code, redirect_uri: 'https://app.example/callback' }
  await identity.token({ ...request, client_id: 'map-view', client_secret: 's3cret-map-view' })

  expect((await browser.press(page, 'Approve')).status).toBe(400)
  expect((await browser.press(page, 'Deny')).status).toBe(400)
  expect((await browser.get(page.url)).status).toBe(400)
})

test('a request expires after 30 minutes and is not valid in another browser', async () => {
  const { identity, origin, browser } = await aVisit()
  const page = await browser.signIn(await browser.authorize())

  expect((await aBrowser(origin).get(page.url)).status).toBe(400)
  expect((await browser.get('/oauth/v2/authorize/unknown')).status).toBe(400)
  await identity.clock.advance(30 * 60_000)
  expect((await browser.press(page, 'Approve')).status).toBe(400)
})

test('a client whose redirect URI was removed meanwhile gets nothing', async () => {
  const { identity, browser } = await aVisit()
  const page = await browser.signIn(await browser.authorize())
  await identity.directory.update('client', 'map-view', (client) => ({ ...client, redirectUris: [] }))

  const answer = await browser.press(page, 'Approve')

  expect(answer.status).toBe(400)
  expect(answer.location).toBeUndefined()
})

test('a form that is too large, or has too many fields, is refused with 413', async () => {
  const { browser } = await aVisit()
  const { action, hidden } = formWith(await browser.authorize(), 'Sign in')

  expect((await browser.post(action, { ...hidden, email: 'x'.repeat(20_000) })).status).toBe(413)
  expect((await browser.post(action, 'a=b&'.repeat(101))).status).toBe(413)
})

test('a store that does not answer causes a page that says to try again', async () => {
  let isDown = false
  const { browser } = await aVisit({
    wrapStore: (store) => ({
      ...store,
      async get(key) {
        if (isDown) throw new ApiError('unavailable', 'The store does not answer')
        return store.get(key)
      },
    }),
  })
  const page = await browser.authorize()
  isDown = true

  const answer = await browser.press(page, 'Sign in', pilot)

  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(answer.html).toContain('Try again')
})

test('two requests in two tabs are independent', async () => {
  const { browser } = await aVisit()
  const first = await browser.get(authorizePath({ state: 'first' }))
  const second = await browser.get(authorizePath({ state: 'second' }))

  const approveSecond = await browser.signIn(second)
  const approveFirst = await browser.get(formWith(first, 'Sign in').action.replace('/sign-in', ''))

  expect((await browser.press(approveFirst, 'Approve')).location?.searchParams.get('state')).toBe('first')
  expect((await browser.press(approveSecond, 'Approve')).location?.searchParams.get('state')).toBe('second')
})
