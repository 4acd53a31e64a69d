import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createPlainServer, type IncomingMessage } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import { toReason } from '../../src/errors.ts'
import { createNetwork } from '../../src/network/network.ts'

const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const ca = read('ca.pem')

test('a service with a private CA is reached when the CA is given, and the request arrives unchanged', async () => {
  const { origin, seen } = await aServer()
  const fetch = createNetwork({ ca }).fetch

  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' }
  const response = await fetch(new Request(`${origin}/v1/x?a=1`, { method: 'POST', headers, body: '{"ä":1}' }))

  expect(response.status).toBe(202)
  expect(response.headers.get('retry-after')).toBe('7')
  expect(await response.text()).toBe('an answer')
  expect(seen).toEqual([
    { method: 'POST', url: '/v1/x?a=1', body: '{"ä":1}', authorization: 'Bearer token', protocol: 'TLSv1.3' },
  ])
})

test('a service with a private CA is not trusted without the CA', async () => {
  const { origin } = await aServer()
  const fetch = createNetwork().fetch

  const error = await fetch(new Request(origin)).catch((error: unknown) => error)

  expect(toReason(error)).toMatch(/certificate/)
})

test('TLS 1.1 is refused', async () => {
  const { origin } = await aServer({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })

  const error = await createNetwork({ ca })
    .fetch(new Request(origin))
    .catch((error: unknown) => error)

  expect(toReason(error)).toMatch(/protocol|version/i)
})

test('a redirect is not followed, and an abort cancels the request', async () => {
  const { origin, seen } = await aServer()
  const fetch = createNetwork({ ca }).fetch

  const redirected = await fetch(new Request(`${origin}/redirect`, { redirect: 'manual' }))
  const aborted = fetch(new Request(origin, { signal: AbortSignal.abort(new Error('enough')) }))

  expect(redirected.status).toBe(302)
  expect(seen).toHaveLength(1)
  await expect(aborted).rejects.toThrow('enough')
})

test('an abort ends a request that nobody refers to any more, and its connection', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const server = createPlainServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const late = new AbortController()

  const sent = createNetwork().fetch(new Request(`http://127.0.0.1:${port}`, { signal: late.signal }))
  const failed = sent.catch((error: unknown) => error)
  const [{ socket }] = (await once(server, 'request')) as [IncomingMessage]
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
  }
  late.abort('late')
  await once(socket, 'close')

  expect(await failed).toBe('late')
})

async function aServer(options: ServerOptions = {}) {
  const seen: object[] = []
  const certificate = { key: read('localhost-key.pem'), cert: read('localhost.pem') }
  const server = createServer({ ...certificate, ...options }, async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method, url, headers } = request
    const protocol = 'getProtocol' in request.socket ? (request.socket as { getProtocol(): string }).getProtocol() : ''
    seen.push({ method, url, body, authorization: headers.authorization, protocol })
    if (url === '/redirect') response.writeHead(302, { location: '/elsewhere' }).end()
    else response.writeHead(202, { 'retry-after': '7' }).end('an answer')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A listening server has an address with a port.
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, seen }
}
