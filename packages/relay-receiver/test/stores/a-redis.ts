/**
 * A real Redis on a free port, which ends with the test. Without `redis-server`, the tests that need it are skipped,
 * with one line that says so; with TEST_REQUIRE_ALL they fail.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@keyv/redis'
import { onTestFinished, test, vi } from 'vitest'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
if (!isInstalled)
  process.stderr.write('There is no redis-server on this machine; the tests that need one are skipped\n')

export const testWithRedis = test.skipIf(!isInstalled && process.env.TEST_REQUIRE_ALL !== '1')

export interface Redis {
  url: string
  command(...words: string[]): Promise<unknown>
  kill(): Promise<void>
}

export async function aRedis(): Promise<Redis> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-redis-'))
  const port = await findFreePort()
  const url = `redis://127.0.0.1:${port}`
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''], {
    stdio: 'ignore',
  })
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  onTestFinished(async () => {
    await kill()
    await rm(folder, { recursive: true, force: true })
  })

  async function command(...words: string[]): Promise<unknown> {
    const client = createClient({ url, socket: { reconnectStrategy: false } })
    client.on('error', () => {}) // The promise below reports it, too.
    try {
      await client.connect()
      return await client.sendCommand(words)
    } finally {
      if (client.isOpen) client.destroy()
    }
  }
  await vi.waitFor(() => command('PING'), { interval: 10 })
  return { url, command, kill }
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
