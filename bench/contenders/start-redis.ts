/** A separate Redis with full durability: every write is on the disk before its answer. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { findFreePort } from '../../testing/free-port.ts'

export interface RedisServer {
  url: string
  pid: number
  stop(): Promise<void>
}

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

export async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-bench-redis-'))
  const port = await findFreePort()
  const flags = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
  const child = spawn('redis-server', [...flags, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`redis-server exited with ${child.exitCode} before it was ready`)
    await setTimeout(50)
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    // It does not listen yet.
    return false
  } finally {
    socket.destroy()
  }
}
