import { expect, test } from 'vitest'
import { createResetLinks } from '../../src/identity/people/reset-links.ts'
import { aBrowser, serve } from './a-browser.ts'
import { anIdentity, pilot } from './an-identity.ts'

const next = 'another horse 43'

async function aLink() {
  const identity = await anIdentity()
  const origin = await serve(identity)
  const links = createResetLinks(identity)
  const user = await identity.directory.find('user', pilot.id)
  if (!user) throw new Error('the pilot is a user')
  const path = `/account/reset/${await links.issue(user)}`
  return { identity, origin, links, user, path, browser: aBrowser(origin) }
}

test('a link sets a new password, signs in, and ends all other sessions', async () => {
  const { origin, path, browser } = await aLink()
  const other = aBrowser(origin)
  await other.openAccount(pilot)

  const page = await browser.get(path)
  const account = await browser.follow(await browser.press(page, 'Set password', { new_password: next }))

  expect(page.html).toContain(pilot.email)
  expect(account.html).toContain('Your password was changed')
  expect((await other.get('/account')).location?.pathname).toMatch(/^\/account\/sign-in\//)
  expect((await aBrowser(origin).openAccount({ email: pilot.email, password: next })).html).toContain('Your account')
})

test('a link works once, also for two clicks at the same moment, and no other link of the old password works', async () => {
  const { links, user, path, browser } = await aLink()
  const further = `/account/reset/${await links.issue(user)}`
  const page = await browser.get(path)

  const clicks = [next, 'a third horse 44'].map((password) =>
    browser.press(page, 'Set password', { new_password: password }),
  )
  const statuses = (await Promise.all(clicks)).map(({ status }) => status)

  expect(statuses.sort()).toEqual([303, 404])
  for (const used of [path, further]) expect((await browser.get(used)).html).toContain('This link has ended')
})

test('a link ends after an hour, and for a user who is disabled', async () => {
  const { identity, links, user, path, browser } = await aLink()
  await identity.clock.advance(60 * 60_000)
  expect((await browser.get(path)).status).toBe(404)

  const fresh = `/account/reset/${await links.issue(user)}`
  expect((await browser.get(fresh)).status).toBe(200)
  await identity.directory.update('user', user.id, (current) => ({ ...current, disabled: true }))
  expect((await browser.get(fresh)).status).toBe(404)
})

test.each([
  ['short', '1234567', 'must have 8 to 256 characters'],
  ['common', 'Qwertyuiop', 'many people have this password'],
])('a %s password is refused with the reason, and the link stays', async (_name, password, reason) => {
  const { path, browser } = await aLink()

  const refused = await browser.press(await browser.get(path), 'Set password', { new_password: password })

  expect([refused.status, refused.html.includes(reason)]).toEqual([400, true])
  expect(refused.html).toMatch(/<input id="new-password"[^>]*aria-invalid="true"/)
  expect((await browser.press(refused, 'Set password', { new_password: next })).status).toBe(303)
})
