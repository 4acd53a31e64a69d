/** A relay owner's HTTPS server, built with the receiver package. It stores every report that it receives. */
import { once } from 'node:events'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import {
  createReceiver,
  type Delivery,
  type PinningOptions,
  type PositionReport,
  verifySignatures,
} from '@posrep/relay-receiver'
import { toNodeListener } from '@posrep/relay-receiver/node'

export interface ReceivedReport {
  report: PositionReport
  delivery: Delivery
}

export interface TestRelay {
  url: string
  received: ReceivedReport[]
  /** From now on it receives reports but does not answer, until it is released. */
  hold(): () => void
  /** From now on it answers every request with this status, until it is repaired. */
  breakWith(status: number): () => void
  stop(): Promise<void>
}

export interface TestRelayOptions extends PinningOptions {
  cert: string
  key: string
  jwks: URL
}

export async function aRelay({ cert, key, jwks, ...pinning }: TestRelayOptions): Promise<TestRelay> {
  const received: ReceivedReport[] = []
  let gate = Promise.resolve()
  const receiver = createReceiver({
    ...pinning,
    async onReport(report, delivery) {
      await gate
      received.push({ report, delivery })
    },
    verify: verifySignatures({ jwks }),
    // The tests check repetitions themselves.
    rememberIds: 0,
  })
  let broken: number | undefined
  const answer = toNodeListener(receiver)
  const server = https
    .createServer({ cert, key }, (request, response) => {
      if (broken === undefined) answer(request, response)
      else response.writeHead(broken).end()
    })
    .listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `https://localhost:${port}/positions`,
    received,
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    breakWith(status) {
      broken = status
      return () => (broken = undefined)
    },
    async stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
