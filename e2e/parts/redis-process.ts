/**
 * A durable Redis process that tests can suspend, kill, restart and reconfigure. `VALKEY_SERVER` names the binary of
 * another engine.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { until } from '../../testing/real-time.ts'
import { aServerLocation } from './server-process.ts'

export interface RedisProcess {
  url: string
  port: number
  folder: string
  /** Suspends it: connections stay open, but get no answers. Resolves when it does nothing any more. */
  hang(): Promise<void>
  resume(): void
  /** SIGKILL; acknowledged writes are in its folder. */
  kill(): Promise<void>
  /** Starts it after `kill`, with the same port and folder. */
  restart(...settings: string[]): Promise<void>
  /**
   * One command without quoting, such as `CONFIG SET maxmemory 1`; resolves with the first line of the reply, or with a
   * reply that is one text.
   */
  command(text: string): Promise<string>
  stop(): Promise<void>
}

export const redisBinary = process.env.VALKEY_SERVER ?? 'redis-server'

/** @param own Settings beside those of a durable Redis, for this start and each restart. */
export async function startRedis(own: string[] = []): Promise<RedisProcess> {
  const { port, folder, remove } = await aServerLocation()
  let child = await start([])

  async function start(settings: string[]): Promise<ChildProcess> {
    const at = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
    const started = spawn(redisBinary, [...at, ...durable, ...own, ...settings], { stdio: 'ignore' })
    await once(started, 'spawn')
    await until('Redis listens', () => isListening(port))
    return started
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    async hang() {
      child.kill('SIGSTOP')
      await until('Redis is suspended', () => isSuspended(child))
    },
    resume: () => void child.kill('SIGCONT'),
    kill,
    async restart(...settings) {
      child = await start(settings)
    },
    command: (text) => commandTo(port, text),
    async stop() {
      await kill()
      await remove()
    },
  }
}

function commandTo(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let reply = ''
    socket.once('error', reject).setEncoding('utf8')
    socket.on('data', (chunk) => {
      reply += chunk
      const [, first = '', rest = ''] = /^(.*?)\r\n(.*)$/s.exec(reply) ?? []
      const length = Number(/^\$(\d+)$/.exec(first)?.[1] ?? Number.NaN)
      if (first === '' || rest.length < length) return
      socket.destroy()
      resolve(Number.isNaN(length) ? first : rest.slice(0, length))
    })
    // Redis also accepts inline commands: a line of words.
    socket.write(`${text}\r\n`)
  })
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

/** A signal arrives a moment after it was sent. Where there is no /proc, nobody can say. */
async function isSuspended({ pid }: ChildProcess): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tT')
  return /^State:\tT/m.test(status)
}
