/**
 * `posrep-server serve`: runs the server until a signal or a clock that was set back ends it. In: settings. Out: the
 * banner or ready line, log lines, exit.
 */
import { setFlagsFromString } from 'node:v8'
import { ensureCertainEnd } from '@posrep/kernel/certain-end'
import { createSystemClock } from '../adapters/system-clock.ts'
import { toBanner } from '../composition/banner.ts'
import { createLogger, createOutput, type Output } from '../composition/create-logger.ts'
import { type RunningServer, startServer } from '../composition/server.ts'
import type { Demo } from '../demo/demo.ts'
import { type Settings, settingTable } from '../settings/setting-table.ts'
import { version } from '../version.ts'
import { toArgument, toOwnCommand } from './own-command.ts'

/** The heap may grow by this part of the live data before V8 runs a full collection, a pause of about 50 ms. */
const heapGrowingPercent = 200

const defaultDataDir = settingTable.dataDir.default

/** Only a new process can go back in time: tokens, leases and windows of this one are from what is now the future. */
const clockSetBackCode = 3
const clockSetBack = `the wall clock was set back by more than 10 minutes; stopping with exit code ${clockSetBackCode}, so that a supervisor starts the server again`

export async function serveUntilSignal(settings: Settings): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  const isTerminal = process.stdout.isTTY === true
  const format = settings.logFormat ?? (isTerminal || settings.demo ? 'pretty' : 'json')
  // Log lines would break up the demo's status line.
  const level = settings.logLevel ?? (settings.demo && format === 'pretty' ? 'warn' : 'info')
  const output = createOutput()
  const logger = createLogger({ output, format, level, colour: isTerminal })
  const setBack = Promise.withResolvers<'set back'>()
  const clock = createSystemClock({
    onSetBack(byMs) {
      logger.error({ setBackSeconds: Math.round(byMs / 1000) }, clockSetBack)
      setBack.resolve('set back')
    },
  })
  const demo = settings.demo ? await import('../demo/demo.ts') : undefined
  const seeds = demo ? [demo.demoSeed] : []
  const server = await startServer({ settings, clock, logger, version, seeds, onFatal: () => process.exit(1) })
  const style = format === 'json' ? 'log' : isTerminal ? 'line' : 'lines'
  const playing = await demo?.startDemo({
    server,
    clock,
    logger,
    style,
    columns: () => process.stdout.columns || 80,
    write: (text) => output.write(text),
  })

  // Signals are handled before the ready line is printed, because a reader may stop the server at once.
  const ended = Promise.race([signal(), setBack.promise])
  const firstUser = server.hasUsers ? undefined : firstUserCommands(settings, ownCommand())
  if (server.seeded.length > 0 && format === 'json') logger.info({ seed: server.seeded }, 'applied the seed file')
  if (firstUser && format === 'json') logger.info({ run: firstUser }, 'no users yet')
  announce(output, server, settings, format, isTerminal, { demo: playing, firstUser })
  playing?.show()
  const ending = await ended
  ensureCertainEnd()
  // A second signal ends the process without draining. Accepted reports are already durable.
  void signal().then(() => process.exit(1))
  await playing?.stop()
  // A load balancer needs the notice; a person who presses Ctrl+C does not.
  await server.stop({ noticeMs: ending === 'SIGTERM' ? settings.drainNoticeSeconds * 1000 : 0 })
  process.exit(ending === 'set back' ? clockSetBackCode : 0)
}

function announce(
  output: Output,
  server: RunningServer,
  settings: Settings,
  format: 'pretty' | 'json',
  colour: boolean,
  { demo, firstUser }: { demo: Demo | undefined; firstUser: string[] | undefined },
): void {
  const ca = settings.tlsCert === undefined && !settings.insecureHttp ? server.development : undefined
  if (format === 'pretty') {
    const dataDir = settings.memory ? undefined : server.folder
    const shown = demo && { demo: demo.lines, user: demo.user }
    output.write(`${toBanner({ server, version, dataDir, ca, colour, firstUser, ...shown })}\n`)
    return
  }
  const { auth, ingest, ui } = server.origins
  const ready = {
    event: 'ready',
    origin: ui,
    authOrigin: auth,
    ingestOrigin: ingest,
    uiOrigin: ui,
    caFile: ca?.caFile,
    pid: process.pid,
  }
  output.write(`${JSON.stringify(ready)}\n`)
}

/** Undefined where commands cannot work, because the storage is in the memory of this process. */
function firstUserCommands({ memory, redis, dataDir, roles }: Settings, command: string): string[] | undefined {
  if (memory || !roles.includes('identity')) return undefined
  // A URL of Redis may have a password, so it is not repeated.
  const storage =
    redis !== undefined ? ' --redis URL' : dataDir === defaultDataDir ? '' : ` --data-dir ${toArgument(dataDir)}`
  return [`${command} accounts add acme${storage}`, `${command} users add pilot@example.com --account acme${storage}`]
}

function ownCommand(): string {
  const { argv, execPath } = process
  return toOwnCommand({ program: argv[1] ?? execPath, folder: process.cwd(), execPath })
}

function signal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}
