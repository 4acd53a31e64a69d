/**
 * A real Redis to test against: spawned on a free port with a folder of its own, to be hung, killed and started again.
 * Without `redis-server` the tests that need it are skipped, with one line that says so; under TEST_REQUIRE_ALL they fail.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@redis/client'
import { test, vi } from 'vitest'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!isInstalled) process.stderr.write('No redis-server on this machine: what needs one is skipped\n')

export const isRedisWanted = isInstalled || process.env.TEST_REQUIRE_ALL === '1'
/** For tests that hang and kill it. */
export const testWithRedisServer = test.skipIf(!isRedisWanted)
/** For tests that any Redis serves, also that of REDIS_URL; they keep to keys of their own. */
export const testWithRedis = process.env.REDIS_URL === undefined ? testWithRedisServer : test

export interface RedisServer {
  url: string
  port: number
  folder: string
  /** Sends a command as it is, over a connection of its own. */
  command(...words: string[]): Promise<unknown>
  /** The same with a password that it was given since. */
  commandAs(password: string, ...words: string[]): Promise<unknown>
  /** It stays connected and answers nobody. */
  hang(): void
  goOn(): void
  kill(): Promise<void>
  /** After `kill`, with what it has on disk. */
  start(...more: string[]): Promise<void>
  stop(): Promise<void>
}

export interface RedisServerOptions {
  settings?: string[]
  password?: string
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

const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']

export async function aRedisServer({
  settings = durable,
  password = '',
}: RedisServerOptions = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-redis-'))
  const port = await findFreePort()
  const url = `redis://${password === '' ? '' : `:${password}@`}127.0.0.1:${port}`
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
  const secret = password === '' ? [] : ['--requirepass', password]
  let child: ChildProcess | undefined

  async function commandAs(given: string, ...words: string[]): Promise<unknown> {
    const client = createClient({ url, ...(given !== '' && { password: given }), socket: { reconnectStrategy: false } })
    client.on('error', () => {}) // Also told by the promise below.
    try {
      await client.connect()
      return await client.sendCommand(words)
    } finally {
      if (client.isOpen) client.destroy()
    }
  }

  const command = (...words: string[]) => commandAs(password, ...words)

  async function start(...more: string[]): Promise<void> {
    child = spawn('redis-server', [...place, ...settings, ...secret, ...more], { stdio: 'ignore' })
    await vi.waitFor(() => command('TIME'), { timeout: 5_000, interval: 10 })
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
    goOn: () => void child?.kill('SIGCONT'),
    kill,
    start,
    stop,
  }
}

/** Removes the keys below `prefix`, and no others. */
export async function removeKeys(url: string, prefix: string): Promise<void> {
  const client = createClient({ url, socket: { reconnectStrategy: false } })
  await client.connect()
  for await (const keys of client.scanIterator({ MATCH: `${prefix}*`, COUNT: 1_000 })) {
    if (keys.length > 0) await client.del(keys)
  }
  client.destroy()
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on TCP, as here, gives an AddressInfo.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
