/**
 * Signs a user in from a terminal: prints an address to open, and receives the callback on this machine.
 * In: a login whose redirect URI is `http://127.0.0.1:PORT/callback`. Out: tokens.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Login, Tokens } from '@posrep/client-sdk'

export async function signInFromTerminal(login: Login, redirectUri: string): Promise<Tokens> {
  const { url, pending } = await login.start()
  const { hostname, port, pathname } = new URL(redirectUri)
  const server = createServer().listen(Number(port), hostname)
  await once(server, 'listening')
  console.log(`Open this address in a browser on this machine:\n${url}`)
  try {
    for (;;) {
      // The event of an HTTP request has these two arguments.
      const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
      const callback = new URL(request.url ?? '', redirectUri)
      if (callback.pathname !== pathname) {
        response.writeHead(404).end()
        continue
      }
      try {
        const tokens = await login.complete(pending, callback)
        response.end('You are signed in. You can close this window.\n')
        return tokens
      } catch (error) {
        response.writeHead(400).end('The sign-in failed. The terminal says why.\n')
        throw error
      }
    }
  } finally {
    server.close()
    server.closeIdleConnections()
  }
}
