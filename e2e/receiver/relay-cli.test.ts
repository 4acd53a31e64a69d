/** `posrep-relay listen` as the relay of a device: its certificate, trusted through `--relay-ca`, and its table. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { relayReceiver } from '@posrep/relay-receiver/node'
import { expect, onTestFinished, test } from 'vitest'
import { aServer } from '../../packages/relay-receiver/test/adapters/a-server.ts'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, seed } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const program = fileURLToPath(new URL('../../packages/relay-receiver/dist/bin/relay.js', import.meta.url))

test('a receiver without HTTPS gets verified reports through posrep-relay listen', async () => {
  const location = await aServerLocation(seed)
  onTestFinished(location.remove)
  const certificates = join(location.folder, 'relay')
  // The first start makes the certificate, which the server trusts from then on.
  const making = await startListening('--forward-to', 'http://127.0.0.1:1/', '--cert-dir', certificates)
  await making.stop()
  const seeded = ['--seed', join(location.folder, 'seed.json')]
  const relayCa = join(certificates, 'relay-cert.pem')
  const server = await startServer(location, ...seeded, '--allow-private-relays', '--relay-ca', relayCa)
  onTestFinished(() => server.kill())
  trust(server.certificate.ca)
  const received: string[] = []
  const target = await aServer(
    relayReceiver({
      from: server.ready.authOrigin,
      devices: [deviceUrn],
      onReport: ({ positions }) => void received.push(...positions.map(({ id }) => id)),
    }),
  )
  const issuer = ['--from', server.ready.authOrigin, '--ca', server.ready.caFile ?? '']
  const listening = await startListening('--forward-to', target, '--cert-dir', certificates, ...issuer)
  onTestFinished(listening.stop)

  const user = await aUser(server)
  const { relayDetails } = await user.updateRelay(deviceUrn, { url: listening.url, state: 'Active' })
  const sensor = await aSensor({ origin: server.ready.origin, ca: server.certificate.ca })
  await sensor.submit(aReportText('roof1:1', 3))
  sensor.close()
  await until('the report has arrived', () => received.length === 3)
  await until('both messages are shown', () => listening.lines.length >= 5)

  expect(relayDetails?.state).toBe('Active')
  expect(listening.lines[3]).toMatch(/ validate +urn:aa:device:acme:roof1 +- +valid +\d+ +200$/)
  expect(listening.lines[4]).toMatch(/ position_report +urn:aa:device:acme:roof1 +3 +valid +\d+ +204$/)
})

async function startListening(...args: string[]) {
  const child = spawn(process.execPath, [program, 'listen', '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await until('posrep-relay listens', () => lines.some((line) => line.startsWith('TIME')))
  return {
    url: /https:\S+/.exec(lines[0] ?? '')?.[0] ?? '',
    lines,
    async stop() {
      child.kill()
      await exited
    },
  }
}
