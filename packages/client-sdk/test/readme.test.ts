import { readdir, readFile } from 'node:fs/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestServer } from '../src/testing.ts'
import { aPage } from './a-page.ts'
import { aDevice, aTokenResponse } from './builders.ts'
import { aStorage } from './stores/a-browser.ts'

const log = vi.spyOn(console, 'log')

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
  vi.resetModules()
  log.mockReset()
})

test('the README and the guides for app servers, React and the air picture show exactly the examples that are compiled here', async () => {
  const [readme, ...guides] = await Promise.all(
    ['../README.md', '../../../docs/app-server.md', '../../../docs/react.md', '../../../docs/air-picture.md'].map(
      (file) => readFile(new URL(file, import.meta.url), 'utf8'),
    ),
  )
  const folder = new URL('readme/', import.meta.url)
  const examples = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))

  const blocks = [...[readme, ...guides].join('').matchAll(/```tsx?\n(.*?)```/gs)].map(([, code = '']) => code)

  expect(blocks.toSorted()).toEqual(examples.toSorted())
  expect(readme?.split('\n').length).toBeLessThan(150)
})

test('the first two examples have at most fifteen lines', async () => {
  for (const name of ['browser', 'server']) {
    const code = await readFile(new URL(`readme/${name}.ts`, import.meta.url), 'utf8')
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
  }
})

/** A tab that opens pages with the README's example on them. */
function aTab() {
  const [localStorage, sessionStorage] = [aStorage(), aStorage()]
  const document = { body: { textContent: '' } }
  const fetch = async ({ url, headers }: Request) => {
    if (url.endsWith('/oauth/v2/token')) return aTokenResponse()
    expect(headers.get('authorization')).toBe('Bearer access-1')
    return Response.json({ data: [aDevice()] })
  }
  const openPage = (address: string) => {
    const page = aPage(address)
    vi.stubGlobal('window', page)
    const globals = { location: new URL(address), document, localStorage, sessionStorage, fetch }
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    vi.resetModules()
    return page
  }
  return {
    document,
    /** Opens a page whose example goes to the sign-in page. Returns what it sent there. */
    async begin(address: string) {
      const page = openPage(address)
      // It does not end, because its page does.
      import('./readme/browser.ts')
      await vi.waitFor(() => expect(page.visited).toHaveLength(1))
      return new URL(page.visited[0] ?? '')
    },
    async arrive(address: string) {
      const page = openPage(address)
      await import('./readme/browser.ts')
      return page
    },
  }
}

test("the README's example for browsers signs a user in, shows the devices, and returns to a deep link", async () => {
  const tab = aTab()
  const sent = await tab.begin('https://app.example.net/devices/roof1?tab=2')
  expect(sent.origin).toBe('https://localhost:8443')
  expect(sent.searchParams.get('redirect_uri')).toBe('https://app.example.net/callback')

  const state = sent.searchParams.get('state')
  const page = await tab.arrive(`https://app.example.net/callback?code=c0de&state=${state}&iss=${sent.origin}`)

  expect(log.mock.calls).toEqual([['Roof']])
  expect(page.location.href).toBe('https://app.example.net/devices/roof1?tab=2')
})

test("the README's example for browsers says that the user declined, and does not ask again", async () => {
  const tab = aTab()
  const sent = await tab.begin('https://app.example.net/')
  const answer = `error=access_denied&error_description=The%20user%20denied%20the%20request`

  const state = sent.searchParams.get('state')
  const page = await tab.arrive(`https://app.example.net/callback?${answer}&state=${state}&iss=${sent.origin}`)

  expect(tab.document.body.textContent).toBe('The user declined: The user denied the request')
  expect(page.visited).toEqual([])
})

test("the README's example for servers signs a user in at the real server and shows the devices", async () => {
  const redirectUri = 'https://localhost:9443/callback'
  const server = await startTestServer({ clientId: 'map-view', clientSecret: 's3cret-map-view', redirectUri })
  vi.stubEnv('POSREP_ORIGIN', server.origin)
  vi.stubEnv('POSREP_SECRET', 's3cret-map-view')
  const { url, onCallback } = await import('./readme/server.ts')

  await onCallback(await server.signIn(url))

  expect(log.mock.calls).toEqual([['roof1']])
  await server.stop()
})
