import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createProxyServer } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { toReason } from '../../src/errors.ts'
import { createNetwork } from '../../src/network/network.ts'

const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8')
const ca = read('ca.pem')

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening server has an address with a port.
  return (server.address() as AddressInfo).port
}

/** A service, and a proxy that opens tunnels to it whatever name is asked for. */
async function aProxiedService() {
  const sockets = new Set<Socket>()
  const service = createServer({ key: read('localhost-key.pem'), cert: read('localhost.pem') }, (_, response) =>
    response.end('the service'),
  )
  const proxy = createProxyServer()
  const tunnels: { target: string | undefined; authorization: string | undefined }[] = []
  const port = await listen(service)
  proxy.on('connect', ({ url, headers }, client) => {
    tunnels.push({ target: url, authorization: headers['proxy-authorization'] })
    if (url?.startsWith('forbidden.'))
      return client.end('HTTP/1.1 403 Forbidden\r\ncontent-type: text/html\r\ncontent-length: 2\r\n\r\nno')
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    for (const socket of [client, target]) socket.on('error', () => undefined)
  })
  const proxyPort = await listen(proxy)
  for (const server of [service, proxy]) {
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    onTestFinished(() => {
      server.close()
      for (const socket of sockets) socket.destroy()
    })
  }
  return { tunnels, port, proxy: new URL(`http://user:pa%20ss@127.0.0.1:${proxyPort}`) }
}

test('HTTPS is sent through the tunnel of a proxy, which resolves the name, with one tunnel for several requests', async () => {
  const { tunnels, proxy, port } = await aProxiedService()
  const { fetch, close } = createNetwork({ ca, proxyFor: () => proxy })
  const url = `https://localhost:${port}/v1/x`

  expect(await (await fetch(new Request(url))).text()).toBe('the service')
  expect(await (await fetch(new Request(url))).text()).toBe('the service')
  await close()

  const authorization = `Basic ${Buffer.from('user:pa ss').toString('base64')}`
  expect(tunnels).toEqual([{ target: `localhost:${port}`, authorization }])
})

test('within the tunnel the certificate of the service is checked', async () => {
  const { proxy, port } = await aProxiedService()

  const untrusted = await createNetwork({ proxyFor: () => proxy })
    .fetch(new Request(`https://localhost:${port}/`))
    .catch((error: unknown) => error)
  const otherName = await createNetwork({ ca, proxyFor: () => proxy })
    .fetch(new Request(`https://other.example:${port}/`))
    .catch((error: unknown) => error)

  expect(toReason(untrusted)).toMatch(/certificate/)
  expect(toReason(otherName)).toMatch(/altname/i)
})

test('a proxy that opens no tunnel is an answer that is not of the service', async () => {
  const { proxy } = await aProxiedService()

  const response = await createNetwork({ ca, proxyFor: () => proxy }).fetch(new Request('https://forbidden.example/'))

  expect([response.status, response.headers.get('content-type')]).toEqual([403, 'text/html'])
})

test('plain HTTP, to a receiver on the network, goes without the proxy', async () => {
  const { tunnels, proxy } = await aProxiedService()
  const receiver = createProxyServer((_, response) => response.end('{}'))
  const port = await listen(receiver)
  onTestFinished(() => void receiver.close().closeAllConnections())

  const response = await createNetwork({ proxyFor: () => proxy }).fetch(new Request(`http://127.0.0.1:${port}/`))

  expect(await response.text()).toBe('{}')
  expect(tunnels).toEqual([])
})
