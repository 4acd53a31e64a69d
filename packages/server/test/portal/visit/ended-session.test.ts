/** A form that is submitted after the session has ended changes nothing, and its text is kept. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aServer, rival, roof1, type ServerUnderTest } from '../../a-server.ts'
import type { Page } from '../../identity/a-browser.ts'
import { aPortalVisitor, type PortalVisitor } from '../a-portal-visitor.ts'

const pilot = { email: 'pilot@example.com', password: 'correct horse 42' }
const devicePath = `/devices/${encodeURIComponent(roof1)}`
const titleOf = ({ html }: Page) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
const reason = 'You were signed out before this form was submitted'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  visitor = aPortalVisitor(server)
  await visitor.enter()
})

/** Presses the button twelve hours later, and signs in as the server asks. */
async function pressTooLate(page: Page, button: string, typed: Record<string, string>, user = pilot): Promise<Page> {
  server.clock.leap(13 * 60 * 60_000)
  return signIn(visitor, await visitor.press(page, button, typed), user)
}

async function signIn(as: PortalVisitor, page: Page, user = pilot): Promise<Page> {
  const next = await as.press(page, 'Sign in', user)
  return next.html.includes('>Approve<') ? as.press(next, 'Approve') : next
}

test('a name is in its field again with the reason, and is saved when it is submitted again', async () => {
  const page = await visitor.open(devicePath)

  const back = await pressTooLate(page, 'Save', { name: 'Roof, west' })

  expect(back.status).toBe(200)
  expect(back.html).toContain('value="Roof, west"')
  expect(back.html).toContain(reason)
  expect((await visitor.open(devicePath)).html).not.toContain('Roof, west')
  const renamed = await visitor.press(back, 'Save', { name: 'Roof, west' })
  expect(renamed.html).toContain('Saved: Roof, west')
})

test('a relay address is in its field again, and was not validated', async () => {
  const page = await visitor.open(devicePath)

  const back = await pressTooLate(page, 'Set address', { url: 'https://relay.example/in' })

  expect(back.html).toContain('value="https://relay.example/in"')
  expect(back.html).toContain(reason)
  expect(back.html).not.toContain('relay is Failed')
})

test('a pasted list of sensors is in its field again, and no sensor is registered', async () => {
  const csv = 'clientUniqueId,name\nmast1,Mast 1\nmast2,Mast 2'
  const page = await visitor.open('/sensors')

  const back = await pressTooLate(page, 'Register all', { csv })

  expect([back.status, back.html.includes(csv)]).toEqual([200, true])
  expect(back.html).toContain(reason)
  expect((await visitor.open('/sensors')).html).not.toContain('mast1')
})

test('another user who signs in with the same browser does not see the typed text', async () => {
  const page = await visitor.open('/sensors')

  const back = await pressTooLate(page, 'Register all', { csv: 'clientUniqueId\nsecret-mast' }, rival)

  expect(new URL(back.url).pathname).toBe('/sensors')
  expect(back.html).toContain(rival.email)
  expect(back.html).not.toContain('secret-mast')
  expect(back.html).not.toContain(reason)
})

test('a form that another site submits from a signed-out browser is not shown to its user', async () => {
  const page = await visitor.open(devicePath)
  const form_token = /name="form_token" value="([^"]+)"/.exec(page.html)?.[1] ?? ''
  const victim = aPortalVisitor(server)
  await victim.enter()
  server.clock.leap(13 * 60 * 60_000)

  const refused = await victim.post(`${devicePath}/relay`, { form_token, url: 'https://attacker.example/' })
  const back = await signIn(victim, await victim.open(devicePath))

  expect([refused.status, titleOf(refused)]).toEqual([403, 'Another sign-in has replaced yours'])
  expect(new URL(back.url).pathname).toBe(devicePath)
  expect(back.html).not.toContain('attacker.example')
})

test.each([
  ['with more text than is kept', '/sensors', '/sensors', 'Register all', { csv: `id\n${'x'.repeat(20_000)}` }],
  ['without text', `${devicePath}/remove`, devicePath, 'Remove device', {}],
])(
  'a form %s says that nothing was changed, and leads to its page by the sign-in',
  async (_, path, own, button, typed) => {
    const page = await visitor.open(path)
    server.clock.leap(13 * 60 * 60_000)

    const refused = await visitor.press(page, button, typed)

    expect([refused.status, titleOf(refused)]).toEqual([403, 'You are signed out'])
    const back = await signIn(visitor, await visitor.land(await visitor.click(refused, 'Sign in')))
    expect(new URL(back.url).pathname).toBe(own)
  },
)
