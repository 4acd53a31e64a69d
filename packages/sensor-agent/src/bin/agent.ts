#!/usr/bin/env node
/**
 * posrep-agent: the sensor agent as a command.
 * In: a recording, or positions as NDJSON on standard input. Out: reports at the ingest; log lines on standard error.
 */
import { Command, CommanderError, type Option } from 'commander'
import { createNetwork } from '../network/network.ts'
import { clientCredentials } from '../tokens/client-credentials.ts'
import { fileTokenStore } from '../tokens/file-token-store.ts'
import { pairing } from '../tokens/pairing.ts'
import { memoryTokenStore } from '../tokens/token-store.ts'
import { log, run } from './run.ts'
import {
  type ClientOptions,
  clientOptions,
  type PairOptions,
  type PlayOptions,
  pairOptions,
  playOptions,
  readCa,
  SettingError,
  toNumber,
  toOrigin,
  toText,
} from './settings.ts'
import { lineSource, replaySource } from './sources.ts'

const program = new Command('posrep-agent')
  .description(
    'Reports the positions that a sensor sees. Every option is also read from POSREP_AGENT_… in the environment.',
  )
  .exitOverride()

withOptions(program.command('replay'), [...clientOptions(), ...playOptions()])
  .description('plays a recording of SBS lines with current timestamps')
  .argument('<recording>', 'file of SBS lines, gzip or plain')
  .action(async (recording: string, options: ClientOptions & PlayOptions) => {
    end(await run({ ...connect(options), source: replaySource(recording, options) }))
  })

withOptions(program.command('send'), clientOptions())
  .description('sends positions from standard input, one JSON object per line, byte for byte')
  .action(async (options: ClientOptions) => {
    end(await run({ ...connect(options), source: lineSource() }))
  })

withOptions(program.command('pair'), pairOptions())
  .description('waits until a user presses Pair for the sensor, then plays the recording or sends standard input')
  .argument('[recording]', 'file of SBS lines, gzip or plain; default: standard input')
  .action(async (recording: string | undefined, options: PairOptions) => {
    const source = recording === undefined ? lineSource() : replaySource(recording, options)
    end(await run({ ...pairWith(options), source }))
  })

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) end(error.exitCode === 0 ? 0 : 2)
  if (!(error instanceof SettingError)) throw error
  log(`error: ${error.message}`)
  end(2)
}

function connect(options: ClientOptions) {
  const sensor = toText('--sensor', options.sensor)
  const clientId = toText('--client-id', options.clientId)
  const clientSecret = toText('--client-secret', options.clientSecret)
  const ingestOrigin = toOrigin('--ingest', options.ingest)
  const authOrigin = toOrigin('--auth', options.auth)
  const { fetch } = createNetwork(readCa(options.ca))
  const tokens = clientCredentials({ authOrigin, clientId, clientSecret, localId: sensor, fetch })
  return { ingestOrigin, sensor, fetch, tokens }
}

function pairWith(options: PairOptions) {
  const { auth, timeoutSeconds, tokens: file } = options
  const sensor = toText('--sensor', options.sensor)
  const ingestOrigin = toOrigin('--ingest', options.ingest)
  const { fetch } = createNetwork(readCa(options.ca))
  const tokens = pairing({
    ingestOrigin,
    localId: sensor,
    fetch,
    store: file === undefined ? memoryTokenStore() : fileTokenStore(file),
    ...(auth !== undefined && { authOrigin: toOrigin('--auth', auth) }),
    ...(timeoutSeconds !== undefined && { timeoutMs: toNumber('--timeout-seconds', timeoutSeconds, 1) * 1_000 }),
  })
  const begin = async (signal: AbortSignal) => {
    log(`waiting for a user to press Pair for sensor "${sensor}"`)
    const { sensorId } = await tokens.pair(signal)
    log(`paired as ${sensorId}`)
  }
  return { ingestOrigin, sensor, fetch, tokens, begin }
}

function withOptions(command: Command, options: Option[]): Command {
  for (const option of options) command.addOption(option)
  return command
}

function end(code: number): never {
  process.exit(code)
}
