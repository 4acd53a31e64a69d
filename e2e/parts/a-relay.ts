/** A relay owner's HTTPS server, built with the receiver package. It stores every report that it receives. */
import { once } from 'node:events'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Delivery, PinningOptions, PositionReport } from '@posrep/relay-receiver'
import { relayReceiver } from '@posrep/relay-receiver/node'

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

export interface TestRelayOptions extends Pick<PinningOptions, 'clientParts'> {
  cert: string
  key: string
  /** The service's issuer. */
  from: string
}

/** The tests check repetitions themselves. */
const forgetful = { has: async () => false, add: async () => {} }

export async function aRelay({ cert, key, from, clientParts = ['acme'] }: TestRelayOptions): Promise<TestRelay> {
  const received: ReceivedReport[] = []
  let gate = Promise.resolve()
  const receiver = relayReceiver({
    from,
    clientParts,
    async onReport(report, delivery) {
      await gate
      received.push({ report, delivery })
    },
    store: forgetful,
  })
  let broken: number | undefined
  const server = https
    .createServer({ cert, key }, (request, response) => {
      if (broken === undefined) receiver(request, response)
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
