/** The command as a process, with a fake service on this machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

export const bin = fileURLToPath(new URL('../../src/bin/agent.ts', import.meta.url))
export const efhk = fileURLToPath(new URL('../../../server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url))
export const secret = 's3cret-fleet'

export interface Call {
  input?: string
  /** Descriptor of an open file that is standard input, instead of a pipe. */
  stdin?: number
  env?: Record<string, string>
  /** Whether to pass `--ingest`, `--sensor` and `--state-dir`. Default true for commands that know them. */
  service?: boolean
  /** Whether to pass the client's options. Default true for `run`, `doctor` and `config`. */
  client?: boolean
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

export interface TestService {
  folder: string
  state: string
  origin: string
  /** Bodies of the reports, decompressed. */
  bodies: string[]
  pairings: number
  /** How reports are answered. Default 202. */
  answer: (response: ServerResponse) => void
  /** How consume-token is answered. Default: with tokens. */
  pair: (response: ServerResponse) => void
  /** Runs the command to its end. */
  agent(args: string[], call?: Call): Promise<Ended>
  start(args: string[], call?: Call): { process: ReturnType<typeof spawn>; ended: Promise<Ended>; stderr(): string }
  stop(): Promise<void>
}

export async function aTestService(): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-agent-'))
  const server: Server = createServer((request, response) => void serve(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const service: TestService = {
    folder,
    state: join(folder, 'state'),
    // A listening server has an address with a port.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies: [],
    pairings: 0,
    answer: accept,
    pair: (response) => json(response, 200, pairedTokens),
    agent(args, { input = '', ...call } = {}) {
      const { process, ended } = service.start(args, call)
      process.stdin?.on('error', () => undefined)
      process.stdin?.end(input)
      return ended
    },
    start,
    async stop() {
      server.closeAllConnections()
      server.close()
      await rm(folder, { recursive: true })
    },
  }
  return service

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const body = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
    if (request.url === '/oauth/v2/token') return grant(body, response)
    if (request.url === '/v1/pairing-tokens/consume-token?clientUniqueId=roof1') {
      service.pairings += 1
      return service.pair(response)
    }
    if (service.answer === accept && request.headers.authorization === undefined) return json(response, 401, noToken)
    // The service refuses an empty list, which tells that it knows the sensor.
    const isEmpty = service.answer === accept && body.includes('"positions":[]')
    if (!isEmpty) service.bodies.push(body)
    if (isEmpty) json(response, 400, emptyList)
    else service.answer(response)
  }

  function start([command = '', ...args]: string[], call: Call = {}) {
    const { env = {}, service: isService = knowsService(command), client = knowsClient(command), stdin = 'pipe' } = call
    const given = [
      ...(isService ? ['--ingest', service.origin, '--sensor', 'roof1', '--state-dir', service.state] : []),
      ...(client ? ['--client-id', 'fleet', '--client-secret', secret] : []),
      ...(command === 'run' ? ['--status', 'off'] : []),
    ]
    // Options of `config check` and others stand behind the second word.
    const [first, ...rest] = ['config', 'identity', 'refused'].includes(command) ? args : []
    const line = first === undefined ? [command, ...given, ...args] : [command, first, ...given, ...rest]
    const child = spawn(process.execPath, ['--conditions=@posrep/source', bin, ...line], {
      cwd: folder,
      env: { ...ownEnvironment(), ...env },
      stdio: [stdin, 'pipe', 'pipe'],
    })
    const output = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const)
      child[name]?.setEncoding('utf8').on('data', (text: string) => (output[name] += text))
    const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code: code ?? null, ...output }))
    return { process: child, ended, stderr: () => output.stderr }
  }
}

/** The part of the tests' environment that a process needs: neither settings of an agent, nor colours. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE, TEST_WORKER } = process.env
  return { PATH, TMPDIR, NODE_COMPILE_CACHE, TEST_WORKER }
}

export const pairedTokens = {
  id: 'pr_1',
  sensorId: 'urn:aa:device:acme:roof1',
  clientUniqueId: 'roof1',
  accessToken: 'paired-access',
  refreshToken: 'paired-refresh',
  expiresAt: '2099-01-01T00:00:00+00:00',
}

const accept: TestService['answer'] = (response) => response.writeHead(202).end()

const noToken = { type: 'urn:problem:unauthenticated', title: 'No token', status: 401, code: 'unauthenticated' }

const emptyList = {
  type: 'urn:problem:invalid_body',
  title: 'Invalid body',
  status: 400,
  code: 'invalid_body',
  errors: [{ pointer: '/positions', code: 'min_items', detail: 'must not be empty' }],
}

function knowsService(command: string): boolean {
  return ['run', 'pair', 'doctor', 'config'].includes(command)
}

function knowsClient(command: string): boolean {
  return ['run', 'doctor', 'config'].includes(command)
}

function grant(body: string, response: ServerResponse): void {
  const isRight = new URLSearchParams(body).get('client_secret') === secret
  if (isRight) json(response, 200, { access_token: 'access', token_type: 'bearer', expires_in: 3_600 })
  else json(response, 401, { error: 'invalid_client' })
}

export function json(response: ServerResponse, status: number, body: object): void {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
}
