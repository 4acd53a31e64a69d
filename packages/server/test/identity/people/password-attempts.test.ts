import { expect, test } from 'vitest'
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

test('an IPv6 customer is one caller, whatever the lower half of the address', async () => {
  const { attempt, repeat } = someAttempts()
  await repeat(10, (round) => ({ address: `2001:db8:1:2::${round}` }), 'wrong-password')

  expect(await attempt({ address: '2001:db8:1:2:ffff::1' }, 'right')).toMatch(/^too_many_requests/)
  expect(await attempt({ address: '2001:db8:1:3::1' }, 'right')).toBe('examined')
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
