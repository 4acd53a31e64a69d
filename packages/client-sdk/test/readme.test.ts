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

test('the first two examples have at most ten lines', async () => {
  for (const name of ['browser', 'server']) {
    const code = await readFile(new URL(`readme/${name}.ts`, import.meta.url), 'utf8')
    expect(code.trimEnd().split('\n').length).toBeLessThanOrEqual(10)
  }
})

test("the README's example for browsers signs a user in and shows the devices", async () => {
  const [localStorage, sessionStorage] = [aStorage(), aStorage()]
  const fetch = async ({ url, headers }: Request) => {
    if (url.endsWith('/oauth/v2/token')) return aTokenResponse()
    expect(headers.get('authorization')).toBe('Bearer access-1')
    return Response.json({ data: [aDevice()] })
  }
  const openPage = (address: string) => {
    const page = aPage(address)
    vi.stubGlobal('window', page)
    for (const [name, value] of Object.entries({ location: new URL(address), localStorage, sessionStorage, fetch })) {
      vi.stubGlobal(name, value)
    }
    vi.resetModules()
    return page
  }

  const first = openPage('https://app.example.net/')
  // It does not end, because its page does.
  import('./readme/browser.ts')
  await vi.waitFor(() => expect(first.visited).toHaveLength(1))
  const sent = new URL(first.visited[0] ?? '')
  expect(sent.origin).toBe('https://localhost:8443')
  expect(sent.searchParams.get('redirect_uri')).toBe('https://app.example.net/callback')

  const state = sent.searchParams.get('state')
  const second = openPage(`https://app.example.net/callback?code=c0de&state=${state}&iss=${sent.origin}`)
  await import('./readme/browser.ts')

  expect(log.mock.calls).toEqual([['Roof']])
  expect(second.location.href).toBe('https://app.example.net/callback')
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
