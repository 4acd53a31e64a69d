/**
 * Signs a user in from a terminal: prints an address to open, and receives the callback on this machine.
 * In: a Posrep whose redirect URI is `http://127.0.0.1:PORT/…`. Out: a signed-in Posrep.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Posrep } from '@posrep/client-sdk'

export async function signIn(posrep: Posrep, redirectUri: string): Promise<void> {
  const { url, pending } = await posrep.startSignIn()
  const { hostname, port, pathname } = new URL(redirectUri)
  const server = createServer().listen(Number(port), hostname)
  await once(server, 'listening')
  console.log(`Open this address in a browser on this machine:\n${url}`)
  try {
    for (;;) {
      // The event of an HTTP request has these two arguments.
      const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
      const callback = new URL(request.url ?? '', redirectUri)
      // Browsers also ask for an icon.
      if (callback.pathname === pathname) return await answer(response, () => posrep.completeSignIn(pending, callback))
      response.writeHead(404).end()
    }
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

async function answer(response: ServerResponse, complete: () => Promise<void>): Promise<void> {
  response.setHeader('content-type', 'text/plain; charset=utf-8')
  try {
    await complete()
    response.end('You are signed in. You can close this window.\n')
    console.log('You are signed in.')
  } catch (error) {
    response.writeHead(400).end('The sign-in failed; the terminal says why.\n')
    throw error
  }
  await once(response, 'close')
}
