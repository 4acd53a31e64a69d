/** The demo's relay: a separate HTTPS server that receives deliveries with the package relay-receiver. */
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Fetch } from '@posrep/relay-receiver'
import { relayReceiver } from '@posrep/relay-receiver/node'
import type { PositionReport } from '@posrep/spec'

export interface DemoRelay {
  url: string
  stop(): Promise<void>
}

export interface DemoRelayOptions {
  certificate: { cert: string; key: string }
  /** The issuer whose messages are accepted. */
  from: string
  fetch: Fetch
  /** The only device whose messages are accepted. */
  device: string
  onReport(report: PositionReport): void
}

export async function startDemoRelay({
  certificate,
  from,
  fetch,
  device,
  onReport,
}: DemoRelayOptions): Promise<DemoRelay> {
  const receiver = relayReceiver({ from, fetch, devices: [device], onReport })
  const server = https.createServer({ ...certificate, minVersion: 'TLSv1.2' }, receiver)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/relay`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
