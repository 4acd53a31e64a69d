/**
 * The same plain program on every run-time: a relay receiver on the run-time's own HTTPS server.
 * In: OPTIONS, the receiver's options; CERT and KEY, PEM texts. Out: the port, then a line with the ID of each
 * position.
 */
import { relayReceiver } from '@posrep/relay-receiver'

const options = JSON.parse(process.env.OPTIONS)
const tls = { cert: process.env.CERT, key: process.env.KEY }
const { fetch } = relayReceiver({
  ...options,
  onReport({ positions }) {
    for (const { id } of positions) console.log(id)
  },
})

console.log(await listen())

async function listen() {
  if (globalThis.Bun) return Bun.serve({ hostname: '127.0.0.1', port: 0, tls, fetch }).port
  if (globalThis.Deno) {
    return Deno.serve({ hostname: '127.0.0.1', port: 0, ...tls, onListen() {} }, fetch).addr.port
  }
  const { createServer } = await import('node:https')
  const { toNodeListener } = await import('@posrep/relay-receiver/node')
  const server = createServer(tls, toNodeListener(fetch))
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
  return server.address().port
}
