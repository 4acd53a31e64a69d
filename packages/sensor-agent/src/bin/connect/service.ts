/**
 * The service that the settings name, and who this sensor is for it.
 * In: settings. Out: origins, the network and a token source: client credentials if there is a client ID, else the
 * paired identity.
 */
import { mkdirSync } from 'node:fs'
import { toReason } from '../../errors.ts'
import { createNetwork } from '../../network/network.ts'
import type { Fetch } from '../../ports.ts'
import { clientCredentials } from '../../tokens/client-credentials.ts'
import { fileTokenStore } from '../../tokens/file-token-store.ts'
import { type PairingTokenSource, pairing } from '../../tokens/pairing.ts'
import type { TokenSource } from '../../tokens/token-source.ts'
import type { TokenStore } from '../../tokens/token-store.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { findCa, findNumber, findOrigin, findText, getOrigin, getText, isSet, type Settings } from '../settings/read.ts'
import { findProxy } from './find-proxy.ts'
import { type StateFolder, toStateFolder } from './state-folder.ts'

export interface Service {
  ingestOrigin: URL
  authOrigin: URL
  sensor: string
  ca: string | undefined
  state: StateFolder
  /** Of a sensor that is paired. */
  identity: TokenStore
  fetch: Fetch
  tokens: TokenSource
  /** Undefined when the sensor has client credentials. */
  pairing: PairingTokenSource | undefined
}

export interface ConnectOptions {
  /** Wraps the network, to see the answers. */
  observe?(fetch: Fetch): Fetch
  /** Receives why a poll of a sensor that waits for Pair brought no tokens. */
  onPending?(reason: string): void
}

export function connect(
  settings: Settings,
  { observe = (fetch) => fetch, onPending = () => undefined }: ConnectOptions = {},
): Service {
  const ingestOrigin = getOrigin(settings, 'ingest')
  const sensor = getText(settings, 'sensor')
  const ca = findCa(settings)
  // A wrong variable is told before anything runs.
  findProxy(ingestOrigin)
  const fetch = observe(createNetwork({ proxyFor: findProxy, ...(ca !== undefined && { ca }) }).fetch)
  const state = toStateFolder(settings)
  const identity = fileTokenStore(state.identity, { adopt: isSet(settings, 'adopt') })
  const common = { ingestOrigin, sensor, ca, state, identity, fetch }
  const clientId = findText(settings, 'clientId')
  if (clientId === undefined) {
    const tokens = pairedTokens(settings, onPending, common)
    return { ...common, authOrigin: findOrigin(settings, 'auth') ?? ingestOrigin, tokens, pairing: tokens }
  }
  const authOrigin = findOrigin(settings, 'auth') ?? ingestOrigin
  const clientSecret = getText(settings, 'clientSecret')
  const tokens = clientCredentials({ authOrigin, clientId, clientSecret, localId: sensor, fetch })
  return { ...common, authOrigin, tokens, pairing: undefined }
}

function pairedTokens(
  settings: Settings,
  onPending: (reason: string) => void,
  { ingestOrigin, sensor, fetch, identity }: Pick<Service, 'ingestOrigin' | 'sensor' | 'fetch' | 'identity'>,
): PairingTokenSource {
  const authOrigin = findOrigin(settings, 'auth')
  const timeoutSeconds = findNumber(settings, 'timeoutSeconds', 1)
  return pairing({
    ingestOrigin,
    localId: sensor,
    fetch,
    store: identity,
    onPending,
    ...(authOrigin !== undefined && { authOrigin }),
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1_000 }),
  })
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    const message = `The state folder "${folder}" cannot be made: ${toReason(cause)}; give another one with --state-dir`
    throw new CommandError('state_unwritable', message, exitCodes.storage, { cause })
  }
}
