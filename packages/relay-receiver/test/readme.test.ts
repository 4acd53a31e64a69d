import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { validationCode } from './builders.ts'

const pages = {
  'README.md': { page: '../README.md', examples: 'readme/' },
  'docs/mounting-a-receiver.md': { page: '../../../docs/mounting-a-receiver.md', examples: 'recipes/' },
}

for (const [name, { page, examples }] of Object.entries(pages)) {
  test(`${name} shows exactly the examples that are compiled here`, async () => {
    const text = await readFile(new URL(page, import.meta.url), 'utf8')
    const folder = new URL(examples, import.meta.url)
    const files = await Promise.all((await readdir(folder)).map((file) => readFile(new URL(file, folder), 'utf8')))

    const blocks = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code)

    expect(blocks.toSorted()).toEqual(files.toSorted())
  })
}

test('the README is under 150 lines', async () => {
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
  expect(readme.split('\n').length).toBeLessThan(150)
})

test("the README's first example refuses a message without a signature", async () => {
  vi.stubEnv('PORT', '0')
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { server } = await import('./readme/use.ts')
  await vi.waitFor(() => expect(server.listening).toBe(true))
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo

  const response = await fetch(`http://127.0.0.1:${port}/position-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'validate', version: '1.0', validationCode }),
  })

  expect(response.status).toBe(401)
  server.close()
})
