/** A relay address: an HTTPS server with any listener, which can stop and start again at the same port. */
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'

export interface ListeningRelay {
  origin: string
  /** Cuts all connections, as the end of the process does. */
  cut(): Promise<void>
  /** Starts again after `cut`, with another listener. */
  restart(listener: RequestListener): Promise<void>
}

export async function aListeningRelay(
  certificate: { cert: string; key: string },
  listener: RequestListener,
): Promise<ListeningRelay> {
  let server = await start(listener, 0)
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo

  async function start(answer: RequestListener, at: number): Promise<https.Server> {
    const started = https.createServer(certificate, answer).listen(at, '127.0.0.1')
    await once(started, 'listening')
    return started
  }

  return {
    origin: `https://localhost:${port}`,
    async cut() {
      server.closeAllConnections()
      if (!server.listening) return
      server.close()
      await once(server, 'close')
    },
    async restart(answer) {
      server = await start(answer, port)
    },
  }
}
