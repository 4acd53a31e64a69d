/** A real Redis as its own process, durable, to be hung. Where there is none its tests are skipped, and say so. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { describe } from 'vitest'
import { aPlace } from './server-process.ts'
import { until } from './until.ts'

const isInstalled = spawnSync('redis-server', ['--version']).status === 0
const isRedisWanted = isInstalled || process.env.TEST_REQUIRE_ALL === '1'
if (!isInstalled) process.stderr.write('No redis-server on this machine: two processes on one Redis are skipped\n')

export const describeWithRedis = describe.skipIf(!isRedisWanted)

export interface RedisProcess {
  url: string
  /** It stays connected and answers nobody. */
  hang(): void
  goOn(): void
  stop(): Promise<void>
}

export async function startRedis(): Promise<RedisProcess> {
  const place = await aPlace()
  const at = ['--port', String(place.port), '--bind', '127.0.0.1', '--dir', place.folder]
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
  const child = spawn('redis-server', [...at, ...durable], { stdio: 'ignore' })
  await once(child, 'spawn')
  await until('Redis listens', () => isListening(place.port), 5_000)
  return {
    url: `redis://127.0.0.1:${place.port}`,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await place.remove()
    },
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
