/** A form of the portal that is refused says the true reason, changes nothing, and links to its page. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aServer, rival, roof1, type ServerUnderTest } from '../../a-server.ts'
import type { Page } from '../../identity/a-browser.ts'
import { aPortalVisitor, type PortalVisitor } from '../a-portal-visitor.ts'

const pilot = { email: 'pilot@example.com', password: 'correct horse 42' }
const devicePath = `/devices/${encodeURIComponent(roof1)}`
const typed = { name: 'Not this name' }

let server: ServerUnderTest
let visitor: PortalVisitor
let page: Page
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  visitor = aPortalVisitor(server)
  page = await visitor.enter(devicePath)
})

function tokenOf({ html }: Page): string {
  return /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? ''
}

/** The status, the title, and where the page leads. */
function readRefusal({ status, html }: Page) {
  const main = html.slice(html.indexOf('<h1>'))
  const [, title] = /<h1>(.*?)<\/h1>/.exec(main) ?? []
  const [, path, label] = /<a class="button" href="([^"]+)">(.*?)<\/a>/.exec(main) ?? []
  return { status, title, path, label }
}

test.each<[what: string, title: string, label: string, submit: () => Promise<Page>]>([
  [
    'of a browser that deleted its cookies',
    'The cookie of this page is missing',
    'Open the page',
    async () => {
      visitor.cookies.clear()
      return visitor.press(page, 'Save', typed)
    },
  ],
  [
    'of a user who signed out in another tab',
    'You are signed out',
    'Sign in',
    async () => {
      await visitor.press(await visitor.open('/devices'), 'Sign out')
      return visitor.press(page, 'Save', typed)
    },
  ],
  [
    'of a user after whom somebody else signed in',
    'Another sign-in has replaced yours',
    'Open the page',
    async () => {
      await visitor.press(await visitor.open('/devices'), 'Sign out')
      await visitor.enter('/devices', rival)
      return visitor.press(page, 'Save', typed)
    },
  ],
  [
    "with another user's token",
    'Another sign-in has replaced yours',
    'Open the page',
    async () => {
      const foreign = await aPortalVisitor(server).enter('/devices', rival)
      return visitor.post(`${devicePath}/details`, { ...typed, form_token: tokenOf(foreign) })
    },
  ],
  [
    'without a token',
    'This form was altered',
    'Open the page',
    async () => visitor.post(`${devicePath}/details`, { ...typed, form_token: '' }),
  ],
])('a form %s', async (_what, title, label, submit) => {
  const refused = readRefusal(await submit())

  expect(refused).toEqual({ status: 403, title, path: devicePath, label })
  const own = aPortalVisitor(server)
  expect((await own.enter(devicePath, pilot)).html).not.toContain(typed.name)
})

test('a sign-out form that is not the own one does not sign out', async () => {
  const refused = await visitor.post('/portal/sign-out', { form_token: 'x' })

  expect(readRefusal(refused)).toMatchObject({ status: 403, title: 'This form was altered' })
  expect((await visitor.get('/devices')).status).toBe(200)
})

test('a form that is too large says so', async () => {
  const refused = await visitor.post(`${devicePath}/details`, { form_token: tokenOf(page), name: 'x'.repeat(9_000) })

  expect(readRefusal(refused)).toMatchObject({ status: 413, title: 'This form is too large' })
})
