import { expect, test, vi } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { ApiError } from '../../../src/errors.ts'
import { createPasswordAttempts, type PasswordAttempt } from '../../../src/identity/people/password-attempts.ts'
import { aBrowser, serve } from '../a-browser.ts'
import { anIdentity, pilot } from '../an-identity.ts'

const windowMs = 15 * 60_000

function someAttempts() {
  const clock = createManualClock()
  const attempts = createPasswordAttempts({ clock })
  let examined = 0

  async function attempt(given: Partial<PasswordAttempt>, ends: 'wrong-password' | 'sign-up' | 'right') {
    try {
      await attempts.examine(
        { email: 'pilot@example.com', address: '192.0.2.7', ...given },
        async () => void examined++,
        () => (ends === 'right' ? undefined : ends),
      )
      return 'examined'
    } catch (error) {
      if (error instanceof ApiError) return `${error.code} ${error.headers['Retry-After']}`
      throw error
    }
  }

  async function repeat(
    times: number,
    given: (round: number) => Partial<PasswordAttempt>,
    ends: 'wrong-password' | 'sign-up' | 'right',
  ) {
    for (let round = 0; round < times; round++) expect(await attempt(given(round), ends)).toBe('examined')
  }

  return { clock, attempt, repeat, examined: () => examined }
}

test('after 10 wrong passwords, even the right one is not checked from that address for 15 minutes', async () => {
  const { clock, attempt, repeat, examined } = someAttempts()
  await repeat(10, () => ({}), 'wrong-password')
  await clock.advance(60_000)

  expect(await attempt({}, 'right')).toBe('too_many_requests 840')
  expect(await attempt({ email: ' PILOT@example.com' }, 'right')).toBe('too_many_requests 840')
  expect(examined()).toBe(10)
  await clock.advance(windowMs - 60_000)
  expect(await attempt({}, 'right')).toBe('examined')
})

test('the user can still sign in from another address, and other users from that address', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(10, () => ({}), 'wrong-password')

  expect(await attempt({ address: '192.0.2.8' }, 'right')).toBe('examined')
  expect(await attempt({ email: 'other@example.com' }, 'right')).toBe('examined')
})

test('100 wrong passwords of any users block an address, and right ones are not counted', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(200, () => ({}), 'right')
  await repeat(100, (round) => ({ email: `user-${round}@example.com` }), 'wrong-password')

  expect(await attempt({ email: 'new@example.com' }, 'right')).toBe('too_many_requests 900')
})

test('20 accounts can be created from one address', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(20, (round) => ({ email: `user-${round}@example.com`, isSignUp: true }), 'sign-up')

  expect(await attempt({ email: 'new@example.com', isSignUp: true }, 'sign-up')).toBe('too_many_requests 900')
  expect(await attempt({ email: 'new@example.com' }, 'right')).toBe('examined')
})

test('an IPv6 customer with a /48 is one caller, whatever the rest of the address', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(10, (round) => ({ address: `2001:db8:1:${round}::${round}` }), 'wrong-password')

  expect(await attempt({ address: '2001:db8:1:ffff::1' }, 'right')).toMatch(/^too_many_requests/)
  expect(await attempt({ address: '2001:db8:2:1::1' }, 'right')).toBe('examined')
})

test('a known browser has limits of its own: others at its address cannot use them up, nor it theirs', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(10, () => ({}), 'wrong-password')

  await repeat(10, () => ({ knownBrowser: 'own' }), 'wrong-password')
  expect(await attempt({ knownBrowser: 'own' }, 'right')).toMatch(/^too_many_requests/)
  expect(await attempt({ knownBrowser: 'another' }, 'right')).toBe('examined')
  expect(await attempt({ email: 'other@example.com' }, 'right')).toBe('examined')
})

test('exactly 10 of 60 concurrent wrong passwords are checked', async () => {
  const { attempt, examined } = someAttempts()

  await Promise.all(Array.from({ length: 60 }, () => attempt({}, 'wrong-password')))

  expect(examined()).toBe(10)
})

test('many attempts from one address do not delay other addresses', async () => {
  const { attempt } = someAttempts()
  const flood = Array.from({ length: 100 }, () => attempt({}, 'right'))

  expect(await attempt({ address: '192.0.2.8' }, 'right')).toBe('examined')
  const answers = await Promise.all(flood)
  expect(answers.filter((answer) => answer === 'too_many_requests 5')).toHaveLength(35)
})

/** Attempts whose checks run until they are ended, in the order in which they begin. */
function heldAttempts(outcome: 'wrong-password' | 'right' = 'wrong-password') {
  const attempts = createPasswordAttempts({ clock: createManualClock() })
  const begun: string[] = []
  const ends: (() => void)[] = []

  function attempt(name: string, given: Partial<PasswordAttempt>): Promise<unknown> {
    const check = () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    }
    const attempted = { email: `${name}@example.com`, address: '192.0.2.7', ...given }
    return attempts.examine(attempted, check, () => (outcome === 'right' ? undefined : outcome)).catch(() => {})
  }

  /** Ends the checks that run. */
  async function endRunning(): Promise<void> {
    for (const end of ends.splice(0)) end()
    for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => setImmediate(resolve))
  }

  return { begun, attempt, endRunning }
}

const flood = Array.from({ length: 75 }, (_, n) => n)

test.each([
  ['one address', () => '198.51.100.1'],
  ['75 addresses of one /48', (n: number) => `2001:db8:1:${n}::1`],
])('75 attempts from %s let a sign-in from another address begin at once', async (_name, toAddress) => {
  const { begun, attempt, endRunning } = heldAttempts()
  for (const n of flood) void attempt(`flood${n}`, { address: toAddress(n) })
  await endRunning()

  void attempt('pilot', {})
  await endRunning()

  expect(begun).toContain('pilot')
  expect(begun.indexOf('pilot')).toBeLessThanOrEqual(3)
})

test('75 attempts from as many addresses let a known browser go first', async () => {
  const { begun, attempt, endRunning } = heldAttempts()
  for (const n of flood) void attempt(`flood${n}`, { address: `198.51.100.${n}` })
  await endRunning()

  void attempt('pilot', { knownBrowser: 'own' })
  await endRunning()
  await endRunning()

  expect(begun).toContain('pilot')
  expect(begun.indexOf('pilot')).toBeLessThanOrEqual(4)
})

test('75 browsers at one address that are known for another account let a sign-in from another address begin at once', async () => {
  const { begun, attempt, endRunning } = heldAttempts()
  for (const n of flood) void attempt(`flood${n}`, { address: '198.51.100.1', knownBrowser: `browser ${n}` })
  await endRunning()

  void attempt('pilot', {})
  await endRunning()

  expect(begun).toContain('pilot')
  expect(begun.indexOf('pilot')).toBeLessThanOrEqual(3)
})

test('60 attempts for one user do not delay the other users of the same address', async () => {
  const { begun, attempt, endRunning } = heldAttempts()
  for (const n of flood.slice(0, 60)) void attempt(`flood${n}`, { email: 'victim@example.com' })
  await endRunning()

  void attempt('pilot', {})
  await endRunning()
  await endRunning()

  expect(begun.indexOf('pilot')).toBeLessThanOrEqual(3)
  expect(begun).toContain('pilot')
})

test('addresses that have sent wrong passwords wait for those that have not', async () => {
  const { begun, attempt, endRunning } = heldAttempts()
  for (const n of flood.slice(0, 40)) void attempt(`first${n}`, { address: `198.51.100.${n}` })
  for (let pair = 0; pair < 21; pair++) await endRunning()
  for (const n of flood.slice(0, 40)) void attempt(`second${n}`, { address: `198.51.100.${n}` })
  await endRunning()
  begun.length = 0

  void attempt('pilot', {})
  await endRunning()
  await endRunning()

  expect(begun.indexOf('pilot')).toBeLessThanOrEqual(3)
  expect(begun).toContain('pilot')
})

test('addresses that sign in with accounts of their own wait for those that have not signed in', async () => {
  const { begun, attempt, endRunning } = heldAttempts('right')
  for (const n of flood.slice(0, 40)) void attempt(`first${n}`, { address: `198.51.100.${n}` })
  for (let pair = 0; pair < 21; pair++) await endRunning()
  for (const n of flood.slice(0, 40)) void attempt(`second${n}`, { address: `198.51.100.${n}` })
  await endRunning()
  begun.length = 0

  void attempt('pilot', {})
  await endRunning()
  await endRunning()

  expect(begun.indexOf('pilot')).toBeLessThanOrEqual(3)
  expect(begun).toContain('pilot')
})

test('of a slowed-down user, an address that has had a slow turn waits for those that have not, for a day', async () => {
  const { clock, attempt, repeat } = someAttempts()
  await repeat(20, (round) => ({ address: `198.51.100.${round}` }), 'wrong-password')
  const slow = attempt({ address: '192.0.2.1' }, 'wrong-password')
  await clock.advance(2_000)
  await slow
  await clock.advance(windowMs)
  await repeat(20, (round) => ({ address: `198.51.100.${round}` }), 'wrong-password')
  const order: string[] = []

  for (const address of ['198.51.100.1', '192.0.2.1', '203.0.113.1']) {
    void attempt({ address }, 'right').then(() => order.push(address))
    await clock.advance(0)
  }
  for (let turn = 0; turn < 3; turn++) await clock.advance(2_000)

  expect(order).toEqual(['198.51.100.1', '203.0.113.1', '192.0.2.1'])
})

test('after 20 wrong passwords of one user from any addresses, unknown browsers take turns of 2 s; known ones do not', async () => {
  const { clock, attempt, repeat, examined } = someAttempts()
  await repeat(20, (round) => ({ address: `198.51.100.${round}` }), 'wrong-password')

  const slow = Promise.all([1, 2, 3].map((n) => attempt({ address: `203.0.113.${n}` }, 'right')))
  expect(await attempt({ knownBrowser: 'own' }, 'right')).toBe('examined')
  expect(await attempt({ email: 'other@example.com' }, 'right')).toBe('examined')
  expect(examined()).toBe(22)
  for (const expected of [23, 24, 25]) {
    await clock.advance(2_000)
    await vi.waitFor(() => expect(examined()).toBe(expected))
  }
  expect(await slow).toEqual(['examined', 'examined', 'examined'])
  await clock.advance(windowMs)
  expect(await attempt({ address: '203.0.113.9' }, 'right')).toBe('examined')
})

test('wrong passwords in known browsers slow nobody down', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(30, (round) => ({ knownBrowser: `browser ${round}` }), 'wrong-password')

  expect(await attempt({}, 'right')).toBe('examined')
})

test('a browser in which the user has signed in before is not slowed down by wrong passwords elsewhere, another one is', async () => {
  const identity = await anIdentity()
  const origin = await serve(identity)
  const own = aBrowser(origin, { 'x-forwarded-for': '203.0.113.1' })
  await own.signIn(await own.authorize())
  own.cookies.delete('__Host-posrep-session')
  for (const address of ['198.51.100.1', '198.51.100.2']) {
    const attacker = aBrowser(origin, { 'x-forwarded-for': address })
    const page = await attacker.authorize()
    for (let round = 0; round < 10; round++) {
      await attacker.press(page, 'Sign in', { email: pilot.email, password: 'wrong password' })
    }
  }
  // Another one, which is known for another user.
  const other = aBrowser(origin, { 'x-forwarded-for': '203.0.113.1' })
  const theirs = { email: 'other@example.com', password: 'a long password' }
  await other.press(await other.authorize(), 'Create account', theirs)
  other.cookies.delete('__Host-posrep-session')
  expect(other.cookies.has('__Host-posrep-known')).toBe(true)
  let isAnswered = false
  const slow = other.authorize().then(async (page) => {
    const approval = await other.signIn(page)
    isAnswered = true
    return approval
  })

  expect((await own.signIn(await own.authorize())).html).toContain('Approve')

  expect(isAnswered).toBe(false)
  await vi.waitFor(async () => {
    await identity.clock.advance(2_000)
    expect(isAnswered).toBe(true)
  })
  expect((await slow).html).toContain('Approve')
})

test('the page says how long to wait, and the form is not checked until then', async () => {
  const identity = await anIdentity()
  const browser = aBrowser(await serve(identity))
  const page = await browser.authorize()
  for (let round = 0; round < 10; round++) {
    expect((await browser.press(page, 'Sign in', { email: pilot.email, password: 'wrong password' })).status).toBe(303)
  }

  const refused = await browser.press(page, 'Sign in', pilot)

  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('900')
  expect(refused.html).toContain('Wait 15 minutes')
  await identity.clock.advance(windowMs)
  expect((await browser.press(await browser.authorize(), 'Sign in', pilot)).status).toBe(303)
  expect(browser.cookies.has('__Host-posrep-session')).toBe(true)
})
