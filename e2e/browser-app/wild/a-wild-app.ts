/**
 * An app whose host and headers differ from the simple case, with a real server.
 * In: headers of its pages, redirects of its host, the script of its pages. Out: its origin, and the options of its
 * Posrep.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@posrep/client-sdk/testing'
import { build } from 'vite'
import { findFreePort } from '../../../testing/free-port.ts'

export interface WildApp {
  /** On localhost. */
  origin: string
  port: number
  redirectUri: string
  server: TestServer
  /** Answers requests before the pages do; false leaves a request to them. */
  setHost(answer: (request: IncomingMessage, response: ServerResponse) => boolean): void
  /** Sets the script of all pages. `options` is there, of createPosrep(). */
  setScript(script: string): void
  stop(): Promise<void>
}

let bundle: Promise<string> | undefined

export async function aWildApp({ path = '/callback' } = {}): Promise<WildApp> {
  bundle ??= bundleSdk()
  const sdk = await bundle
  const port = await findFreePort()
  const origin = `http://localhost:${port}`
  const redirectUri = `${origin}${path}`
  const server = await startTestServer({ redirectUri })
  let script = ''
  let host: Parameters<WildApp['setHost']>[0] = () => false
  const files = createServer((request, response) => {
    if (host(request, response)) return
    const isScript = request.url === '/sdk.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? sdk : toPage(script, server))
  }).listen(port)
  await once(files, 'listening')
  return {
    origin,
    port,
    redirectUri,
    server,
    setHost: (answer) => void (host = answer),
    setScript: (given) => void (script = given),
    async stop() {
      files.closeAllConnections()
      files.close()
      await server.stop()
    },
  }
}

function toPage(script: string, { options }: TestServer): string {
  return `<!doctype html><title>app</title><link rel="icon" href="data:,"><body><button id="go">Go</button><output id="said"></output>
<script src="/sdk.js"></script>
<script type="module">
const options = ${JSON.stringify(options)}
const { createPosrep, webTokenStore, signInWithPopup, signOutAtService } = window.sdk
const say = (text) => { document.querySelector('#said').textContent = text }
${script}
</script>`
}

async function bundleSdk(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    root: fileURLToPath(new URL('.', import.meta.url)),
    build: { write: false, lib: { entry: 'sdk.ts', formats: ['iife'], name: 'bundled', fileName: () => 'sdk.js' } },
  })
  // One format gives one file.
  const [built] = [result].flat()
  if (!built || !('output' in built)) throw new Error('Nothing was built')
  return built.output[0].code
}
