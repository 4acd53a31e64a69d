import { afterAll, beforeAll, expect, test } from 'vitest'
import { aServer, roof1, type ServerUnderTest } from '../a-server.ts'
import { aPortalVisitor, type PortalVisitor } from './a-portal-visitor.ts'

let server: ServerUnderTest
let visitor: PortalVisitor
beforeAll(async () => {
  server = await aServer()
  visitor = aPortalVisitor(server)
  await visitor.enter()
})
afterAll(() => server.stop())

const post = (path: string, body: string) =>
  server.fetch(path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.origin, accept: 'text/html' },
  })
const large = `name=${'x'.repeat(600_000)}`

test.each<[what: string, status: number, request: () => Promise<{ status: number; html: string }>]>([
  ['a path without a page', 404, () => visitor.get('/devices/none/none')],
  ['a sign-in that has expired', 400, () => visitor.open('/portal/callback?state=x')],
  ['an application that is not registered', 400, () => visitor.get('/oauth/v2/authorize?client_id=nobody')],
  ['an approval that has ended', 400, () => visitor.get('/oauth/v2/authorize/x')],
  ['a wrong path below the account', 404, () => visitor.get('/account/nothing')],
  ['a form that is too large', 413, () => toPage(post(`/devices/${roof1}/details`, large))],
  ['a form of the account page that is too large', 413, () => toPage(post('/account/password', large))],
  ['a form of the account page that is out of date', 403, () => toPage(post('/account/password', 'form_token=x'))],
])('the page for %s has the navigation', async (_what, status, request) => {
  const page = await request()
  expect(page.status).toBe(status)
  expect(page.html).toMatch(/<nav aria-label="Site">.*href="[^"]*\/docs"/s)
})

async function toPage(response: Promise<{ status: number; text(): Promise<string> }>) {
  const { status, text } = await response.then(async (one) => ({ status: one.status, text: await one.text() }))
  return { status, html: text }
}
