/** A durable Redis process that tests can suspend, kill, restart and reconfigure. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { aServerLocation } from './server-process.ts'
import { until } from './until.ts'

export interface RedisProcess {
  url: string
  folder: string
  /** Suspends it: connections stay open, but get no answers. */
  hang(): void
  resume(): void
  /** SIGKILL; acknowledged writes are in its folder. */
  kill(): Promise<void>
  /** Starts it after `kill`, with the same port and folder. */
  restart(...settings: string[]): Promise<void>
  /** One command without quoting, such as `CONFIG SET maxmemory 1`; resolves with the first line of the reply. */
  command(text: string): Promise<string>
  stop(): Promise<void>
}

export async function startRedis(): Promise<RedisProcess> {
  const { port, folder, remove } = await aServerLocation()
  let child = await start([])

  async function start(settings: string[]): Promise<ChildProcess> {
    const at = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder]
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '']
    const started = spawn('redis-server', [...at, ...durable, ...settings], { stdio: 'ignore' })
    await once(started, 'spawn')
    await until('Redis listens', () => isListening(port), 5_000)
    return started
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  return {
    url: `redis://127.0.0.1:${port}`,
    folder,
    hang: () => void child.kill('SIGSTOP'),
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
      if (!reply.includes('\r\n')) return
      socket.destroy()
      resolve(reply.slice(0, reply.indexOf('\r\n')))
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
