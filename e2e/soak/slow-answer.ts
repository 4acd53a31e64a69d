/** A relay that consents at once, and answers each report after 9 s, a second before the server gives up. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RelayMessage } from '@posrep/spec'

const slowMs = 9_000

export function answerSlowly(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = []
  request.on('error', () => {
    // The server was killed, or gave up.
  })
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.once('end', () => {
    const message: RelayMessage = JSON.parse(Buffer.concat(chunks).toString())
    if (message.name === 'validate') response.end(message.validationCode)
    else setTimeout(() => response.writeHead(204).end(), slowMs)
  })
}
