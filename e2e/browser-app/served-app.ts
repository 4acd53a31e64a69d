/**
 * examples/browser-app, built and served for a real server whose time a test moves.
 * Out: the app's address, and the server. The caller stops both with `stop`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@posrep/client-sdk/testing'
import { build, preview } from 'vite'
import { findFreePort } from '../../testing/free-port.ts'

export interface ServedApp {
  address: string
  server: TestServer
  /** The service refuses the access tokens that it has issued. */
  expireTokens(): void
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../../examples/browser-app', import.meta.url))
const accessTokenMs = 15 * 60_000

export async function serveBrowserApp(): Promise<ServedApp> {
  const port = await findFreePort()
  const address = `http://localhost:${port}/`
  const server = await startTestServer({ redirectUri: address })
  const outDir = await mkdtemp(join(tmpdir(), 'posrep-browser-app-'))
  await build({
    root,
    logLevel: 'warn',
    define: {
      'import.meta.env.POSREP_ORIGIN': JSON.stringify(server.options.origin),
      'import.meta.env.POSREP_CLIENT_ID': JSON.stringify(server.options.clientId),
    },
    build: { outDir, emptyOutDir: true },
  })
  const files = await preview({ root, logLevel: 'warn', build: { outDir }, preview: { port } })
  return {
    address,
    server,
    expireTokens: () => server.advance(accessTokenMs + 1_000),
    async stop() {
      await files.close()
      await server.stop()
      await rm(outDir, { recursive: true })
    },
  }
}
