/** Builds examples/browser-app for a server, and serves it. In: the port, the server. Out: a function that stops it. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, preview } from 'vite'

const root = fileURLToPath(new URL('../../examples/browser-app', import.meta.url))

export async function serveBrowserApp(
  port: number,
  { origin, clientId }: { origin: string; clientId: string },
): Promise<{ stop(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), 'posrep-browser-app-'))
  await build({
    root,
    logLevel: 'warn',
    define: {
      'import.meta.env.POSREP_ORIGIN': JSON.stringify(origin),
      'import.meta.env.POSREP_CLIENT_ID': JSON.stringify(clientId),
    },
    build: { outDir, emptyOutDir: true },
  })
  const server = await preview({ root, logLevel: 'warn', build: { outDir }, preview: { port } })
  return {
    async stop() {
      await server.close()
      await rm(outDir, { recursive: true })
    },
  }
}
