import { expect, onTestFinished, test } from 'vitest'
import { aServer } from '../../a-server.ts'
import { aPortalVisitor } from '../a-portal-visitor.ts'

async function aVisitor() {
  const server = await aServer({ flags: { 'open-registration': true } })
  onTestFinished(() => server.stop())
  return aPortalVisitor(server)
}

async function aNewUser(visitor: Awaited<ReturnType<typeof aVisitor>>) {
  const signIn = await visitor.open('/sensors')
  const typed = { email: 'new@example.com', password: 'correct horse 43' }
  return visitor.press(await visitor.press(signIn, 'Create account', typed), 'Approve')
}

test('an account with several clients of sensors chooses one from a list', async () => {
  const visitor = await aVisitor()
  const page = await visitor.enter('/sensors')
  const [, list = ''] = /<select[^>]*name="client_id"[^>]*>(.*?)<\/select>/s.exec(page.html) ?? []
  expect([...list.matchAll(/value="([^"]*)"/g)].map(([, id]) => id)).toEqual(['fleet', 'partner', 'scopeless'])
  const registered = await visitor.press(page, 'Register', { local_id: 'mast9', client_id: 'fleet' })
  expect(registered.html).toContain('Registered. The sensors are now')
})

test('an account with one client, or none yet, is not asked for it', async () => {
  const visitor = await aVisitor()
  expect((await aNewUser(visitor)).html).not.toContain('name="client_id"')
})

test('a local ID that another account had first is said to be as soon as it is registered', async () => {
  const visitor = await aVisitor()
  const registered = await visitor.press(await aNewUser(visitor), 'Register', { local_id: 'roof1' })
  expect(registered.html).toContain('Registered, but another account had &quot;roof1&quot; first')
})
