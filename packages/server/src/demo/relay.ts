/** The demo's relay: somebody else's HTTPS server, on the receiver package. */
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
  // Listening on TCP, as here, gives an AddressInfo.
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
