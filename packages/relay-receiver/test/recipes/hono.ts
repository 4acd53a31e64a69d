import type { RelayReceiver } from '@posrep/relay-receiver'
import { Hono } from 'hono'

/** In Deno, Bun and Workers the app is the server; on Node it is served by @hono/node-server. */
export function honoApp(path: string, receiver: RelayReceiver): Hono {
  return new Hono().all(path, (context) => receiver.fetch(context.req.raw))
}
