import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { systemFetch } from '../../src/ports.ts'
import { fetchJson } from '../../src/trust/fetch-json.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test.each(['/no-answer', '/no-end'])(
  'a time-out ends the request also after a garbage collection: %s',
  async (path) => {
    const origin = await aService()
    const late = new AbortController()

    const document = fetchJson(new URL(path, origin), systemFetch, late.signal)
    document.catch(() => {})
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      collectGarbage()
    }
    late.abort(new Error('late'))

    await expect(document).rejects.toThrow()
  },
)

async function aService(): Promise<string> {
  const server = createServer(({ url }, response) => {
    if (url === '/no-end') response.writeHead(200).write('{')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
