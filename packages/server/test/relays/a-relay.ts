/** An HTTPS relay whose answers the test sets. It counts connections. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type DevelopmentCertificate, developmentCertificate } from '../../src/adapters/development-certificate.ts'
import { createSystemClock } from '../../src/adapters/system-clock.ts'
import { createRelayConnection, type RelayConnectionOptions } from '../../src/relays/sender/relay-connection.ts'

/** For `relay.test`, which every name resolves to in these tests. */
export async function aCertificate(
  names = ['relay.test'],
  clock = createSystemClock(),
): Promise<DevelopmentCertificate> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-relay-'))
  const certificate = await developmentCertificate({ folder, names, clock })
  await rm(folder, { recursive: true })
  return certificate
}

export interface Relay {
  port: number
  url: URL
  /** TCP connections that were made to it. */
  connections(): number
  requests: { headers: Record<string, unknown>; body: string; path: string }[]
}

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => unknown

export async function aRelay(
  { cert, key }: { cert: string; key: string },
  answer: Answer = (_request, response) => response.end(),
  tlsOptions: https.ServerOptions & { name?: string; host?: string; port?: number } = {},
): Promise<Relay> {
  const { name = 'relay.test', host = '127.0.0.1', port: wanted = 0 } = tlsOptions
  let connections = 0
  const requests: Relay['requests'] = []
  const server = https.createServer({ cert, key, ...tlsOptions }, (request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ headers: request.headers, body, path: request.url ?? '' })
      answer(request, response, body)
    })
  })
  server.on('connection', () => connections++)
  await new Promise<void>((listening) => server.listen(wanted, host, listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: new URL(`https://${name}:${port}/hook?x=1`), connections: () => connections, requests }
}

export function aConnection(options: Partial<RelayConnectionOptions> = {}) {
  const connection = createRelayConnection({
    policy: { allowPrivate: true },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...options,
  })
  onTestFinished(() => connection.close())
  return connection
}
