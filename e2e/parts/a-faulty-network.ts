/**
 * An HTTP proxy that does what its rule says with each request.
 * In: the server's origin. Out: a fetch through the proxy, and the requests that it saw.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * `lost`: the server answers, and the answer never arrives. `anonymous`: the server gets no token. A number: this
 * status.
 */
export type Fate = 'delivered' | 'lost' | 'anonymous' | number

export interface FaultyNetwork {
  /** For the SDK: requests to the server's origin take this way. */
  fetch(request: Request): Promise<Response>
  /** Decides what happens to a request. */
  rule: (path: string) => Fate
  /** How often the server was asked at the path, with whatever fate. */
  count(path: string): number
  stop(): void
}

export async function aFaultyNetwork(origin: string): Promise<FaultyNetwork> {
  const seen: string[] = []
  const proxy = createServer(async (incoming, outgoing) => {
    const path = (incoming.url ?? '').split('?')[0] ?? ''
    seen.push(path)
    const fate = network.rule(path)
    if (typeof fate === 'number') return outgoing.writeHead(fate).end()
    await forward(incoming, outgoing, fate)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = proxy.address() as AddressInfo

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse, fate: Fate): Promise<void> {
    const { authorization, ...others } = incoming.headers
    const headers = fate === 'anonymous' ? others : incoming.headers
    const asked = request(new URL(incoming.url ?? '', origin), { method: incoming.method, headers })
    asked.end(await buffer(incoming))
    const [answer]: IncomingMessage[] = await once(asked, 'response')
    const body = answer && (await buffer(answer))
    if (fate === 'lost') outgoing.destroy()
    else outgoing.writeHead(answer?.statusCode ?? 502, answer?.headers).end(body)
  }

  const network: FaultyNetwork = {
    rule: () => 'delivered',
    fetch: (sent) => fetch(new Request(sent.url.replace(origin, `http://127.0.0.1:${port}`), sent)),
    count: (path) => seen.filter((one) => one === path).length,
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
  return network
}
