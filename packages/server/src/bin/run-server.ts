/** `posrep-server serve`: one life of the server, from its settings to the signal that ends it. */
import { setFlagsFromString } from 'node:v8'
import { createSystemClock } from '../adapters/system-clock.ts'
import { toBanner } from '../banner.ts'
import { createLogger, createOutput, type Output } from '../create-logger.ts'
import { type RunningServer, startServer } from '../server.ts'
import type { Settings } from '../setting-table.ts'
import { version } from '../version.ts'

/** By so much of what is alive the heap grows before V8 collects all of it, in some 50 ms that others wait for. */
const heapGrowingPercent = 200

export async function serveUntilSignal(settings: Settings): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  const isTerminal = process.stdout.isTTY === true
  const format = settings.logFormat ?? (isTerminal || settings.demo ? 'pretty' : 'json')
  // The demo shows how the traffic goes; lines between would break that up.
  const level = settings.logLevel ?? (settings.demo && format === 'pretty' ? 'warn' : 'info')
  const output = createOutput()
  const logger = createLogger({ output, format, level, colour: isTerminal })
  const clock = createSystemClock()
  const demo = settings.demo ? await import('../demo/demo.ts') : undefined
  const seeds = demo ? [demo.demoSeed] : []
  const server = await startServer({ settings, clock, logger, version, seeds, onFatal: () => process.exit(1) })
  const style = format === 'json' ? 'log' : isTerminal ? 'line' : 'lines'
  const playing = await demo?.startDemo({ server, clock, logger, style, write: (text) => output.write(text) })

  // Whoever reads that it is ready may stop it at once.
  const signalled = signal()
  announce(output, server, settings, format, isTerminal, playing?.lines)
  playing?.show()
  const ending = await signalled
  // A second signal does not wait for the drain; what was accepted is durable already.
  void signal().then(() => process.exit(1))
  await playing?.stop()
  // Who stops it by hand is no load balancer.
  await server.stop({ noticeMs: ending === 'SIGTERM' ? settings.drainNoticeSeconds * 1000 : 0 })
  process.exit(0)
}

function announce(
  output: Output,
  server: RunningServer,
  settings: Settings,
  format: 'pretty' | 'json',
  colour: boolean,
  demo?: string[],
): void {
  const caFile = settings.tlsCert === undefined && !settings.insecureHttp ? server.development?.caFile : undefined
  if (format === 'pretty') {
    const dataDir = settings.memory ? undefined : server.folder
    output.write(`${toBanner({ server, version, dataDir, caFile, colour, ...(demo && { demo }) })}\n`)
    return
  }
  const { auth, ingest, ui } = server.origins
  const ready = {
    event: 'ready',
    origin: ui,
    authOrigin: auth,
    ingestOrigin: ingest,
    uiOrigin: ui,
    caFile,
    pid: process.pid,
  }
  output.write(`${JSON.stringify(ready)}\n`)
}

function signal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
