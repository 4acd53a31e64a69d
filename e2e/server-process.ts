/**
 * The built server as its own process.
 * In: flags. Out: its origins and its development CA, once it is ready; ways to end it, gently and not.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** As a shell finds it: the package's published `bin`. */
const program = fileURLToPath(new URL('node_modules/.bin/posrep-server', import.meta.url))

export interface Ready {
  event: 'ready'
  origin: string
  authOrigin: string
  ingestOrigin: string
  uiOrigin: string
  caFile: string
  pid: number
}

export interface ServerProcess {
  ready: Ready
  /** Of the development certificate; a relay on this machine may use them too. */
  certificate: { cert: string; key: string; ca: string }
  /** Everything that it printed. */
  output(): string
  /** Resolves with the exit code, whenever it ends; null after a signal. */
  exited: Promise<number | null>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface Place {
  folder: string
  port: number
  remove(): Promise<void>
}

/** A folder and a port for a server that is started more than once. */
export async function aPlace(seed?: object): Promise<Place> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-e2e-'))
  if (seed) await writeFile(join(folder, 'seed.json'), JSON.stringify(seed))
  return { folder, port: await freePort(), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A server that has been started and need not be ready. */
export interface LaunchedServer {
  /** Rejects when the process ends before. */
  ready: Promise<ServerProcess>
  /** SIGKILL, at any moment. */
  kill(): Promise<void>
}

export interface LaunchOptions {
  flags?: string[]
  environment?: Record<string, string>
  /** A program that becomes the server: its arguments end with the server's own. Default: none. */
  through?: string[]
}

export function startServer(place: Place, ...flags: string[]): Promise<ServerProcess> {
  return launchServer(place, { flags }).ready
}

export function launchServer({ folder, port }: Place, options: LaunchOptions = {}): LaunchedServer {
  const { flags = [], environment, through } = options
  const data = join(folder, 'data')
  const own = ['--port', String(port), '--data-dir', data, '--log-format', 'json']
  // No load balancer has to notice that it stops, so `stop()` need not wait for one.
  const child = run([...own, ...flags], { POSREP_DRAIN_NOTICE_SECONDS: '0', ...environment }, 'ignore', through)
  const ready = whenReady(child, data)
  // Whoever kills it before it is ready does not wait for that.
  ready.catch(() => {})
  return { ready, kill: () => killed(child) }
}

async function whenReady(child: ChildProcess, data: string): Promise<ServerProcess> {
  let output = ''
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.once('exit', (code) => reject(new Error(`posrep-server ended with ${code} before it was ready:\n${output}`)))
    createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
      output += `${line}\n`
      const entry: Partial<Ready> = JSON.parse(line)
      // The contract of `--log-format json`: exactly one line has this event.
      if (entry.event === 'ready') resolve(entry as Ready)
    })
  })
  const isRunning = child.exitCode === null && child.signalCode === null
  const exited = isRunning ? once(child, 'exit').then(([code]) => code) : Promise.resolve(child.exitCode)
  const [cert, key, ca] = await Promise.all(
    // A server with plain HTTP has none.
    ['development-tls.pem', 'development-tls-key.pem', 'development-ca.pem'].map((file) =>
      readFile(join(data, file), 'utf8').catch(() => ''),
    ),
  )
  return {
    ready,
    certificate: { cert: cert ?? '', key: key ?? '', ca: ca ?? '' },
    output: () => output,
    exited,
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    kill: () => killed(child),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs it to its end: commands of the administration, and settings that it refuses. `input` is its standard input. */
export async function runToEnd(flags: string[], environment: Record<string, string> = {}, input = ''): Promise<Ended> {
  const child = run(flags, environment, 'pipe')
  child.stdin?.end(input)
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => (ended.stdout += chunk))
  child.stderr?.on('data', (chunk) => (ended.stderr += chunk))
  await once(child, 'close')
  return { ...ended, code: child.exitCode }
}

/** Starts a command that will not come to its end. */
export function startCommand(flags: string[]): { kill(): Promise<void> } {
  const child = run(flags)
  const ended = once(child, 'exit')
  return {
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function run(
  flags: string[],
  environment: Record<string, string> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
  through: string[] = [],
): ChildProcess {
  const [command = program, ...args] = [...through, program, ...flags]
  return spawn(command, args, { stdio: [stdin, 'pipe', 'pipe'], env: { ...process.env, ...environment } })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No TCP port')
  return address.port
}

export interface DemoProcess {
  output(): string
  /** Resolves with the first line that matches. */
  line(pattern: RegExp): Promise<string>
  stop(): Promise<number | null>
}

/** As `start` of the repository does, on a pipe; on a port and in a folder of its own. */
export async function startDemo({ folder, port }: Place): Promise<DemoProcess> {
  const child = run(['--demo', '--port', String(port), '--data-dir', join(folder, 'data')])
  const lines: string[] = []
  const looking = new Set<() => void>()
  createInterface({ input: child.stdout ?? process.stdin }).on('line', (line) => {
    lines.push(line)
    for (const look of looking) look()
  })
  return {
    output: () => lines.join('\n'),
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = lines.find((line) => pattern.test(line))
          if (found !== undefined) resolve(found)
        }
        looking.add(look)
        look()
        child.once('exit', (code) => reject(new Error(`The demo ended with ${code}:\n${lines.join('\n')}`)))
      }),
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
      return child.exitCode
    },
  }
}
