/** Relays that consent at once, and do not answer reports as a relay should. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { RelayMessage } from '@posrep/spec'

/** Answers each report after 9 s, a second before the server gives up. */
export function answerSlowly(request: IncomingMessage, response: ServerResponse): void {
  answer(request, response, () => setTimeout(() => response.writeHead(204).end(), slowMs))
}

/** Refuses each report, which is buried then. */
export function refuse(request: IncomingMessage, response: ServerResponse): void {
  answer(request, response, () => response.writeHead(400).end())
}

/** A relay on a port of its own; a port is a host to the server. */
export async function aRelay({ cert, key }: { cert: string; key: string }, listener: typeof refuse): Promise<string> {
  const server = https.createServer({ cert, key }, listener)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  // A TCP server's address is an AddressInfo.
  return `https://localhost:${(server.address() as AddressInfo).port}/hostile`
}

const slowMs = 9_000

function answer(request: IncomingMessage, response: ServerResponse, answerReport: () => void): void {
  const chunks: Buffer[] = []
  request.on('error', () => {
    // The server was killed, or gave up.
  })
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const message: RelayMessage = JSON.parse(Buffer.concat(chunks).toString())
    if (message.name === 'validate') response.end(message.validationCode)
    else answerReport()
  })
}
