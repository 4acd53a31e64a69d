/**
 * A real Redis for tests, on a free port and with its own folder. Tests can suspend it, kill it and start it again.
 * `VALKEY_SERVER` names the binary of another engine. Without `redis-server`, the tests that need it are skipped, with
 * one line that says so; with TEST_REQUIRE_ALL they fail.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { test, vi } from 'vitest'
import { findFreePort } from '../../../../../testing/free-port.ts'

const binary = process.env.VALKEY_SERVER ?? 'redis-server'
const isInstalled = spawnSync(binary, ['--version']).status === 0
if (!isInstalled) process.stderr.write(`There is no ${binary} on this machine; the tests that need one are skipped\n`)

export const isRedisWanted = isInstalled || process.env.TEST_REQUIRE_ALL === '1'
/** For tests that suspend or kill the server. */
export const testWithRedisServer = test.skipIf(!isRedisWanted)
/** For tests that run on any Redis, also the one of REDIS_URL; they use only their own keys. */
export const testWithRedis = process.env.REDIS_URL === undefined ? testWithRedisServer : test

export interface RedisServer {
  url: string
  port: number
  folder: string
  /** Sends a command over a new connection. */
  command(...words: string[]): Promise<unknown>
  /** Sends a command with a password that was set after the start. */
  commandAs(password: string, ...words: string[]): Promise<unknown>
  /** Suspends the server: connections stay open, but it does not answer. */
  hang(): void
  /** Ends `hang`. */
  resume(): void
  kill(): Promise<void>
  /** Starts the server again after `kill`, with its data on disk. */
  start(...more: string[]): Promise<void>
  stop(): Promise<void>
}

export interface RedisServerOptions {
  settings?: string[]
  password?: string
  /** Of its only port, and of the bus of a cluster. Default: no TLS. */
  tls?: CertificateFiles
}

export interface CertificateFiles {
  certFile: string
  keyFile: string
}

let stops: (() => Promise<void>)[] = []
let shared: Promise<RedisServer> | undefined

/** One server for all tests of a file. */
export function aSharedRedisServer(): Promise<RedisServer> {
  shared ??= aRedisServer()
  return shared
}

/** `setup.ts` calls it after each file: a test that failed may have left its server running. */
export async function stopRedisServers(): Promise<void> {
  const left = stops
  stops = []
  shared = undefined
  await Promise.all(left.map((stop) => stop()))
}

export const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']

export async function aRedisServer({
  settings = durable,
  password = '',
  tls,
}: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-redis-'))
  const port = await findFreePort()
  const url = `${tls ? 'rediss' : 'redis'}://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`
  const ports = tls ? ['--port', '0', '--tls-port', String(port), ...toTlsSettings(tls)] : ['--port', String(port)]
  const address = [...ports, '--bind', '127.0.0.1', '--dir', folder]
  const secret = password === '' ? [] : ['--requirepass', password]
  let child: ChildProcess | undefined

  async function commandAs(given: string, ...words: string[]): Promise<unknown> {
    const client = createClient({ url, ...(given !== '' && { password: given }), socket: { reconnectStrategy: false } })
    client.on('error', () => {}) // The promise below reports it, too.
    try {
      await client.connect()
      return await client.sendCommand(words)
    } finally {
      if (client.isOpen) client.destroy()
    }
  }

  const command = (...words: string[]) => commandAs(password, ...words)

  async function start(...more: string[]): Promise<void> {
    child = spawn(binary, [...address, ...settings, ...secret, ...more], { stdio: 'ignore' })
    await vi.waitFor(() => command('TIME'), { interval: 10 })
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }

  async function stop(): Promise<void> {
    await kill()
    await rm(folder, { recursive: true, force: true })
  }

  stops.push(stop)
  await start()
  return {
    url,
    port,
    folder,
    command,
    commandAs,
    hang: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    kill,
    start,
    stop,
  }
}

/** The certificate is self-signed: it is its own authority. */
function toTlsSettings({ certFile, keyFile }: CertificateFiles): string[] {
  const files = ['--tls-cert-file', certFile, '--tls-key-file', keyFile, '--tls-ca-cert-file', certFile]
  return [...files, '--tls-auth-clients', 'no', '--tls-cluster', 'yes', '--tls-replication', 'yes']
}

/** Removes the keys below `prefix`, and no others. */
export async function removeKeys(url: string, prefix: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  await client.connect()
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
    // One by one: in a cluster they are in different slots.
    await Promise.all(keys.map((key) => client.del(key)))
  }
  client.destroy()
}
