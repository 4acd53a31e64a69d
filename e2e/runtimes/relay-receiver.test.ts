/**
 * The relay receiver on every run-time that it supports, on the built package: each kind of message, and the real
 * courier.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ReceiverOptions } from '@posrep/relay-receiver'
import { createTestSender, type TestMessage } from '@posrep/relay-receiver/testing'
import type { JwkSet } from '@posrep/spec'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aService, type Service } from '../receiver/a-service.ts'
import { type Runtime, runtimes, spawnOn, testOn } from './runtimes.ts'
import { writeWorkersConfiguration } from './workers.ts'

const program = fileURLToPath(new URL('relay-receiver.mjs', import.meta.url))

for (const runtime of [...runtimes, 'Workers' as const]) {
  testOn(runtime)(
    `a receiver on ${runtime} answers each kind of message, and gets reports of the courier`,
    async () => {
      const service = await aService()
      const sender = await createTestSender()
      const offline = await aReceiverOn(runtime, service, { from: sender.keys, devices: [sender.device] })
      const send = (message: TestMessage) => post(`${offline.origin}/positions`, service.certificate.ca, message)
      const report = await sender.report()

      const statuses = {
        validation: await send(await sender.validation()),
        report: await send(report),
        repeated: await send(await sender.repeat(report)),
        altered: await send(sender.altered(report)),
        unsigned: await send(sender.unsigned(report)),
        late: await send(await sender.late(report)),
        invalid: await send(await sender.sign('{}')),
        large: await send(await sender.sign(' '.repeat(2 * 1024 * 1024 + 1))),
      }
      expect(statuses).toEqual({
        ...{ validation: 200, report: 204, repeated: 204, altered: 401, unsigned: 401, late: 401 },
        ...{ invalid: 400, large: 413 },
      })
      expect(offline.lines()).toHaveLength(1)

      const relay = await aReceiverOn(runtime, service, {
        from: await issuerFor(runtime, service),
        clientParts: ['acme'],
      })
      expect(await service.setRelay(`${relay.origin}/positions`)).toEqual(['Active', 'Active', 'Active'])
      const sent = await service.submit(2)
      await until('all reports have arrived', () => relay.lines().length >= 6)

      for (const ids of sent.values()) expect(relay.lines().filter((id) => ids.includes(id))).toEqual(ids)
    },
  )
}

/**
 * The TLS of Bun and Workers knows no name constraints for addresses, which the development CA has. So a receiver on
 * Bun gets the key set, and one on Workers fetches it without TLS.
 */
async function issuerFor(runtime: Runtime, { issuer }: Service): Promise<string | JwkSet> {
  if (runtime !== 'Bun' && runtime !== 'Workers') return issuer
  const keys: JwkSet = await (await fetch(`${issuer}/oauth/v2/jwks`)).json()
  return runtime === 'Bun' ? keys : anIssuerOnLoopback(keys)
}

async function anIssuerOnLoopback(keys: JwkSet): Promise<string> {
  const server = createServer(({ url }, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(url === '/jwks' ? keys : { issuer, jwks_uri: `${issuer}/jwks` }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A TCP server's address is an AddressInfo.
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issuer
}

async function aReceiverOn(
  runtime: Runtime,
  { certificate, caFile }: Service,
  options: Pick<ReceiverOptions, 'from' | 'devices' | 'clientParts'>,
) {
  const { cert: CERT, key: KEY } = certificate
  // Deno has its own variable.
  const env = { OPTIONS: JSON.stringify(options), CERT, KEY, NODE_EXTRA_CA_CERTS: caFile, DENO_CERT: caFile }
  const file = runtime === 'Workers' ? await writeWorkersConfiguration({ options, cert: CERT, key: KEY }) : program
  const child = spawnOn(runtime, file, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const lines: string[] = []
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => lines.push(line))
  await until(`${runtime} listens`, () => lines.length > 0)
  const port = runtime === 'Workers' ? JSON.parse(lines[0] ?? '').port : lines[0]
  return { origin: `https://localhost:${port}`, lines: () => lines.slice(1) }
}

function post(url: string, ca: string, { headers, body }: TestMessage): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = https.request(url, { method: 'POST', ca, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
      response.once('error', reject)
    })
    request.once('error', reject).end(body)
  })
}
