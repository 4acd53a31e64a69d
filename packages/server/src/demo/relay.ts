/** The demo's relay: a separate HTTPS server that receives deliveries with the package relay-receiver. */
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { createReceiver } from '@posrep/relay-receiver'
import { toNodeListener } from '@posrep/relay-receiver/node'
import type { PositionReport } from '@posrep/spec'

export interface DemoRelay {
  url: string
  stop(): Promise<void>
}

export interface DemoRelayOptions {
  certificate: { cert: string; key: string }
  onReport(report: PositionReport): void
}

export async function startDemoRelay({ certificate, onReport }: DemoRelayOptions): Promise<DemoRelay> {
  const receiver = createReceiver({ onReport })
  const server = https.createServer({ ...certificate, minVersion: 'TLSv1.2' }, toNodeListener(receiver))
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
