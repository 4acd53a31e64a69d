#!/usr/bin/env node
/** `posrep-server`: the operator's door. Reads the settings, starts the server, stops it on a signal; exit 2 on a wrong setting. */
import { readFile } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { createSystemClock } from '../adapters/system-clock.ts'
import { toBanner } from '../banner.ts'
import { createLogger } from '../create-logger.ts'
import { SettingsError } from '../errors.ts'
import { type RunningServer, startServer } from '../server.ts'
import {
  type GivenSettings,
  resolveSettings,
  type Setting,
  type Settings,
  settingTable,
  toVariable,
} from '../settings.ts'
import { version } from '../version.ts'

const program = new Command('posrep-server')
  .description('OAuth 2.0 identity provider and surveillance ingest for aircraft position reports')
  .version(version)
  // A wrong flag is a wrong setting.
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))

const serve = program.command('serve', { isDefault: true }).description('run the server')
for (const setting of Object.values<Setting<unknown>>(settingTable)) serve.addOption(toOption(setting))
serve.addOption(new Option('--config <FILE>', 'JSON file of these settings, keys without dashes in front'))
serve.action(run)

await program.parseAsync()

function toOption({ name, value, help, default: byDefault }: Setting<unknown>): Option {
  const shown =
    byDefault === undefined || byDefault === false || String(byDefault) === '' ? '' : ` (default: ${byDefault})`
  return new Option(`--${name}${value === undefined ? '' : ` <${value}>`}`, `${help}${shown} [${toVariable(name)}]`)
}

async function run(_options: unknown, command: Command): Promise<void> {
  try {
    const settings = resolveSettings({
      flags: givenFlags(command),
      environment: process.env,
      file: await readConfig(command.getOptionValue('config') ?? process.env.POSREP_CONFIG),
    })
    await serveUntilSignal(settings)
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error
    process.stderr.write(`posrep-server: ${error.message}\n`)
    process.exit(2)
  }
}

function givenFlags(command: Command): GivenSettings {
  return Object.fromEntries(
    command.options.flatMap((option) => {
      const value = command.getOptionValue(option.attributeName())
      return value === undefined ? [] : [[option.long?.slice(2) ?? '', value]]
    }),
  )
}

async function readConfig(file: unknown): Promise<Record<string, unknown>> {
  if (typeof file !== 'string') return {}
  try {
    const config: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof config === 'object' && config !== null && !Array.isArray(config)) return { ...config }
  } catch (cause) {
    throw new SettingsError(`--config "${file}" cannot be read: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    })
  }
  throw new SettingsError(`--config "${file}" must hold one JSON object`)
}

async function serveUntilSignal(settings: Settings): Promise<void> {
  const isTerminal = process.stdout.isTTY === true
  const format = settings.logFormat ?? (isTerminal || settings.demo ? 'pretty' : 'json')
  // The demo shows how the traffic goes; lines between would break that up.
  const level = settings.logLevel ?? (settings.demo && format === 'pretty' ? 'warn' : 'info')
  const logger = createLogger({ format, level, colour: isTerminal })
  const clock = createSystemClock()
  const demo = settings.demo ? await import('../demo/demo.ts') : undefined
  const seeds = demo ? [demo.demoSeed] : []
  const server = await startServer({ settings, clock, logger, version, seeds })
  const style = format === 'json' ? 'log' : isTerminal ? 'line' : 'lines'
  const playing = await demo?.startDemo({ server, clock, logger, style, write: (text) => process.stdout.write(text) })

  announce(server, settings, format, isTerminal, playing?.lines)
  playing?.show()
  await signal()
  // A second signal does not wait for the drain; what was accepted is durable already.
  void signal().then(() => process.exit(1))
  await playing?.stop()
  await server.stop()
  process.exit(0)
}

function announce(
  server: RunningServer,
  settings: Settings,
  format: 'pretty' | 'json',
  colour: boolean,
  demo?: string[],
): void {
  const caFile = settings.tlsCert === undefined && !settings.insecureHttp ? server.development?.caFile : undefined
  if (format === 'pretty') {
    const dataDir = settings.memory ? undefined : server.folder
    process.stdout.write(`${toBanner({ server, version, dataDir, caFile, colour, ...(demo && { demo }) })}\n`)
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
  process.stdout.write(`${JSON.stringify(ready)}\n`)
}

function signal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}
