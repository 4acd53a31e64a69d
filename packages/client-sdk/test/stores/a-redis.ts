/**
 * A real Redis for tests, on a free port.
 * Without `redis-server`, the tests that need it are skipped, with one line that says so; with TEST_REQUIRE_ALL they
 * fail.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { vi } from 'vitest'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!isInstalled)
  process.stderr.write('There is no redis-server on this machine; the tests that need one are skipped\n')

export const isRedisWanted = isInstalled || process.env.TEST_REQUIRE_ALL === '1'

export interface RedisProcess {
  url: string
  stop(): Promise<void>
}

export async function startRedis(): Promise<RedisProcess> {
  const port = await findFreePort()
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', flags, { stdio: 'ignore' })
  await once(child, 'spawn')
  await vi.waitFor(() => connectOnce(port), 10_000)
  return { url: `redis://127.0.0.1:${port}`, stop: () => kill(child) }
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function connectOnce(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect').finally(() => socket.destroy())
}
