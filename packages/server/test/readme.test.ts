import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'

test('the README shows exactly the examples that are compiled here, and is under 150 lines', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  const folder = new URL('readme/', import.meta.url)
  const examples = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))

  const blocks = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

  expect(blocks.toSorted()).toEqual(examples.toSorted())
  expect(readme.split('\n').length).toBeLessThan(150)
})

test("the README's first example starts a server and stops it", async () => {
  const lines = vi.spyOn(console, 'log').mockImplementation(() => {})
  vi.spyOn(console, 'info').mockImplementation(() => {})

  await import('./readme/use.ts')

  expect(lines).toHaveBeenCalledWith(
    expect.stringMatching(/^https:\/\/localhost:\d+$/),
    expect.stringMatching(/development-ca\.pem$/),
  )
})

test("the README's application serves the identity provider beside its own path", async () => {
  vi.stubEnv('PORT', '0')
  const { listener } = await import('./readme/embed.ts')
  await vi.waitFor(() => expect(listener.listening).toBe(true))
  // A server that listens on TCP has an AddressInfo.
  const { port } = listener.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  const jwks = await fetch(`${origin}/oauth/v2/jwks`)
  const whoAmI = await fetch(`${origin}/whoami`)

  expect(jwks.status).toBe(200)
  expect(whoAmI.status).toBe(401)
  expect(await whoAmI.json()).toEqual({ code: 'invalid_token' })
  await new Promise((closed) => listener.close(closed))
})
