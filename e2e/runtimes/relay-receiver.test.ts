/** The relay receiver on every run-time that it supports, on the built package: each kind of message, and the real courier. */
import { once } from 'node:events'
import https from 'node:https'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ReceiverOptions } from '@posrep/relay-receiver'
import { createTestSender, type TestMessage } from '@posrep/relay-receiver/testing'
import type { JwkSet } from '@posrep/spec'
import { expect, onTestFinished } from 'vitest'
import { aService, type Service } from '../receiver/a-service.ts'
import { until } from '../until.ts'
import { type Runtime, runtimes, spawnOn, testOn } from './runtimes.ts'

const program = fileURLToPath(new URL('relay-receiver.mjs', import.meta.url))

for (const runtime of runtimes) {
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

/** Bun's TLS knows no name constraints for addresses, which the development CA has; so the receiver gets the key set there. */
async function issuerFor(runtime: Runtime, { issuer }: Service): Promise<string | JwkSet> {
  if (runtime !== 'Bun') return issuer
  return (await fetch(`${issuer}/oauth/v2/jwks`)).json()
}

async function aReceiverOn(
  runtime: Runtime,
  { certificate, caFile }: Service,
  options: Pick<ReceiverOptions, 'from' | 'devices' | 'clientParts'>,
) {
  const { cert: CERT, key: KEY } = certificate
  // Deno has its own variable.
  const env = { OPTIONS: JSON.stringify(options), CERT, KEY, NODE_EXTRA_CA_CERTS: caFile, DENO_CERT: caFile }
  const child = spawnOn(runtime, program, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const lines: string[] = []
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => lines.push(line))
  await until(`${runtime} listens`, () => lines.length > 0)
  return { origin: `https://localhost:${lines[0]}`, lines: () => lines.slice(1) }
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
