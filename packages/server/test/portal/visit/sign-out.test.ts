import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, rival, type ServerUnderTest } from '../../a-server.ts'
import { aPortalVisitor } from '../a-portal-visitor.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

test('Sign out of the portal ends the session at the identity provider, too', async () => {
  const visitor = aPortalVisitor(server)
  const page = await visitor.enter()
  expect((await visitor.press(page, 'Sign out')).html).toContain('signed out of the portal and of your account')
  expect((await visitor.open('/account')).html).toContain('<h1>Sign in</h1>')
})

test('Sign out of the account page ends the session of the portal, too', async () => {
  const visitor = aPortalVisitor(server)
  await visitor.enter()
  await visitor.press(await visitor.open('/account'), 'Sign out')
  expect(visitor.cookies.has('__Host-posrep-portal')).toBe(false)
})

test('a ticket ends no session of another user, and none after a minute', async () => {
  const [pilot, other] = [aPortalVisitor(server), aPortalVisitor(server)]
  const { location } = await pilot.submit(await pilot.enter(), 'Sign out')
  await other.enter('/devices', rival)
  await other.land(await other.get(location?.href ?? ''))
  expect((await other.open('/account')).html).toContain('Your account')

  await pilot.open('/account')
  await server.clock.advance(61_000)
  await pilot.get(location?.href ?? '')
  expect((await pilot.open('/account')).html).toContain('Your account')
})
