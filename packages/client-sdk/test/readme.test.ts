import { readdir, readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { aDevice, aService } from './builders.ts'

test('the README shows exactly the examples that are compiled here, and is under 150 lines', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const folder = new URL('readme/', import.meta.url)
  const examples = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))

  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

  expect(blocks.toSorted()).toEqual(examples.toSorted())
  expect(readme.split('\n').length).toBeLessThan(150)
})

test("the README's first example signs a user in and shows the devices", async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  const { origin, seen } = await aService(({ path }) => {
    if (path === '/oauth/v2/token') return { body: { access_token: 'access-1', token_type: 'bearer', expires_in: 900 } }
    return { body: { data: [aDevice()] } }
  })
  vi.stubEnv('POSREP_ORIGIN', origin)
  const { url, pending, showDevices } = await import('./readme/use.ts')
  expect(url).toContain(`${origin}/oauth/v2/authorize?client_id=map-view&`)

  await showDevices(`https://localhost:9443/callback?code=c0de&state=${pending.state}&iss=${origin}`)

  expect(log.mock.calls).toEqual([['Roof', undefined]])
  expect(seen.at(-1)).toMatchObject({ path: '/v1/devices', authorization: 'Bearer access-1' })
})
