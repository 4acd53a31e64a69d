import { readdir, readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestSender } from '../src/testing/testing.ts'
import { validationCode } from './builders.ts'

const pages = {
  'README.md': { page: '../README.md', examples: 'readme/' },
  'docs/mounting-a-receiver.md': { page: '../../../docs/mounting-a-receiver.md', examples: 'recipes/' },
  'docs/aws-lambda.md': { page: '../../../docs/aws-lambda.md', examples: 'lambda/' },
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

test("the README's first example refuses a message without a signature, and prints one line while there is no service", async () => {
  vi.stubEnv('PORT', '0')
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
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

  // As `posrep-relay trigger` does, without a service.
  vi.stubGlobal('fetch', () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') })),
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  const { headers, body } = await (await createTestSender({ device: 'urn:aa:device:demo:roof1' })).report()
  expect(await postTo(port, headers, body)).toBe(503)
  expect(printed.mock.calls).toEqual([
    [expect.stringMatching(/^The service's keys cannot be fetched now; .* got no response: connect ECONNREFUSED/)],
  ])
  expect(printed.mock.calls[0]?.[0]).not.toContain('\n')
  server.close()
})

function postTo(port: number, headers: Record<string, string>, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port, path: '/position-reports', method: 'POST', headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    request.once('error', reject).end(body)
  })
}
