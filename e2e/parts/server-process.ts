/**
 * Runs the built server as a process.
 * In: flags. Out: its origins and its development CA when it is ready, and functions to stop or kill it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { findFreePort } from '../../testing/free-port.ts'

export type Program = 'posrep-server' | 'posrep-agent' | 'posrep-relay'

/** A package's published `bin`. */
export function programOf(name: Program): string {
  return join(import.meta.dirname, '../node_modules/.bin', name)
}

export const ownProgram = programOf('posrep-server')

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
  /** The development certificate and its key; a relay on this machine can also use them. */
  certificate: { cert: string; key: string; ca: string }
  /** Everything that the process has printed. */
  output(): string
  /** Resolves with the exit code when the process ends; null after a signal. */
  exited: Promise<number | null>
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

export interface ServerLocation {
  folder: string
  port: number
  remove(): Promise<void>
}

/** Creates a folder and finds a port, for a server that is started several times. */
export async function aServerLocation(seed?: object): Promise<ServerLocation> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-e2e-'))
  if (seed) await writeFile(join(folder, 'seed.json'), JSON.stringify(seed))
  return { folder, port: await findFreePort(), remove: () => rm(folder, { recursive: true, force: true }) }
}

/** A server that was started and may not be ready. */
export interface LaunchedServer {
  /** Rejects when the process ends before it is ready. */
  ready: Promise<ServerProcess>
  /** SIGKILL, at any time. */
  kill(): Promise<void>
}

export interface LaunchOptions {
  flags?: string[]
  environment?: Record<string, string>
  /** The command `posrep-server`. Default: as built in this repository. */
  program?: string
  /** A program that executes the server; the server's command line is appended to its arguments. Default: none. */
  through?: string[]
}

export function startServer(location: ServerLocation, ...flags: string[]): Promise<ServerProcess> {
  return launchServer(location, { flags }).ready
}

export function launchServer({ folder, port }: ServerLocation, options: LaunchOptions = {}): LaunchedServer {
  const { flags = [], environment, program, through } = options
  const data = join(folder, 'data')
  const own = ['--port', String(port), '--data-dir', data, '--log-format', 'json']
  // No load balancer has to notice that it stops, so `stop()` need not wait for one.
  const child = run(
    [...own, ...flags],
    // A server that is killed does not remove its temporary files; in this folder they are removed with it.
    { POSREP_DRAIN_NOTICE_SECONDS: '0', TMPDIR: folder, ...environment },
    'ignore',
    through,
    program,
  )
  const ready = whenReady(child, data)
  // A caller that kills it before it is ready does not handle this rejection.
  ready.catch(() => {})
  return { ready, kill: () => killed(child) }
}

async function whenReady(child: ChildProcess, data: string): Promise<ServerProcess> {
  let output = ''
  const ready = await new Promise<Ready>((resolve, reject) => {
    child.stderr?.on('data', (chunk) => (output += chunk))
    child.once('exit', (code) => reject(new Error(`posrep-server exited with ${code} before it was ready:\n${output}`)))
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
    // A server with plain HTTP has no certificate.
    ['development-tls.pem', 'development-tls-key.pem', 'development-ca.pem'].map((file) =>
      // With --memory they are not in the data folder.
      readFile(join(ready.caFile ? dirname(ready.caFile) : data, file), 'utf8').catch(() => ''),
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

/** Runs the command until it exits: for administration commands and refused settings. `input` is its standard input. */
export async function runToEnd(flags: string[], environment: Record<string, string> = {}, input = ''): Promise<Ended> {
  const child = run(flags, environment, 'pipe')
  child.stdin?.end(input)
  const ended: Ended = { code: null, stdout: '', stderr: '' }
  child.stdout?.on('data', (chunk) => (ended.stdout += chunk))
  child.stderr?.on('data', (chunk) => (ended.stderr += chunk))
  await once(child, 'close')
  return { ...ended, code: child.exitCode }
}

export interface CommandProcess {
  /** Everything that it has printed, on both outputs. */
  output(): string
  /** Resolves with the exit code; null after a signal. */
  exited: Promise<number | null>
  /** Types this at its terminal, or writes it to its standard input. */
  type(text: string): void
  /** SIGINT, as by Ctrl+C. Resolves with the exit code. */
  interrupt(): Promise<number | null>
  /** SIGKILL. */
  kill(): Promise<void>
}

/** Starts a command that the test ends, or that waits for something. */
export function startCommand(flags: string[], options: { environment?: Record<string, string> } = {}): CommandProcess {
  return watched(run(flags, options.environment, 'pipe'))
}

/** The same at a pseudo-terminal, by the command `script` of util-linux. */
export function startAtTerminal(flags: string[]): CommandProcess {
  const line = [ownProgram, ...flags].map((word) => `'${word}'`).join(' ')
  const command = `stty cols 120; ${line}`
  return watched(spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], { stdio: 'pipe' }))
}

/** Starts a line of bash. */
export function startShell(line: string): CommandProcess {
  return watched(spawn('bash', ['-c', line], { stdio: 'pipe' }))
}

function watched(child: ChildProcess): CommandProcess {
  let output = ''
  child.stdout?.on('data', (chunk) => (output += chunk))
  child.stderr?.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'close').then(([code]) => code)
  return {
    output: () => output,
    exited,
    type: (text) => void child.stdin?.write(text),
    interrupt() {
      child.kill('SIGINT')
      return exited
    },
    async kill() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function run(
  flags: string[],
  environment: Record<string, string> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
  through: string[] = [],
  program = ownProgram,
): ChildProcess {
  const [command = program, ...args] = [...through, program, ...flags]
  return spawn(command, args, { stdio: [stdin, 'pipe', 'pipe'], env: { ...process.env, ...environment } })
}

export interface DemoProcess {
  output(): string
  /** Resolves with the first line that matches. */
  line(pattern: RegExp): Promise<string>
  isRunning(): boolean
  stop(): Promise<number | null>
}

/**
 * Runs the same command as the repository's `start` script, with its output on a pipe, and with its own port and
 * folder.
 */
export async function startDemo({ folder, port }: ServerLocation): Promise<DemoProcess> {
  const child = run(['--demo', '--port', String(port), '--data-dir', join(folder, 'data')])
  const lines: string[] = []
  const looking = new Set<() => void>()
  const isRunning = () => child.exitCode === null && child.signalCode === null
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
        child.once('exit', (code) => reject(new Error(`The demo exited with ${code}:\n${lines.join('\n')}`)))
      }),
    isRunning,
    async stop() {
      child.kill('SIGTERM')
      if (isRunning()) await once(child, 'exit')
      return child.exitCode
    },
  }
}
