/**
 * One hostile party beside a good account, at a server with a heap of 256 MB.
 * In: the attack, and for how long. Out: what the good account noticed of it, and the server's memory.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { startRedis } from '../../parts/redis-process.ts'
import { aServerLocation, launchServer, type ServerProcess } from '../../parts/server-process.ts'
import { trust } from '../../parts/trust.ts'
import { residentBytes } from '../resident-memory.ts'
import type { AttackData, AttackName } from './attacks/attack.ts'
import { aGoodAccount, type GoodFigures } from './good-account.ts'
import { hostileSeed } from './hostile-parties.ts'

export interface HostileOptions {
  attack: AttackName
  /** At least; it goes on until the server has accepted something of the attack. */
  seconds: number
  /** The server keeps everything in a Redis of this size. Default: in SQLite. */
  redisMegabytes?: number
}

export interface HostileResult extends GoodFigures {
  /** The largest resident memory of the server. */
  memoryBytes: number
  /** The number of answers to the attacker, per kind of request and status. */
  attacker: Record<string, number>
  /** Set if the server ended during the attack. */
  ended: string | undefined
}

export const attackNames = [
  'stored-reports',
  'sign-in',
  'slow-relays',
  'new-targets',
  'unread-answers',
  'costly-calls',
  'slow-writers',
  'stored-forms',
] as const satisfies readonly AttackName[]
/** Processors and caches are warm after this. */
const warmUpMs = 2_000

export async function soakHostile({ attack, seconds, redisMegabytes }: HostileOptions): Promise<HostileResult> {
  const redis = redisMegabytes === undefined ? undefined : await startRedis()
  await redis?.command(`CONFIG SET maxmemory ${redisMegabytes}mb`)
  const location = await aServerLocation(hostileSeed)
  const server = await launchServer(location, {
    flags: [
      ...['--seed', join(location.folder, 'seed.json'), '--allow-private-relays', '--log-level', 'warn'],
      ...['--client-mib', '128'],
      ...(redis ? ['--redis', redis.url] : []),
    ],
    environment: { NODE_OPTIONS: '--max-old-space-size=256' },
  }).ready
  const { ready, certificate } = server
  trust(certificate.ca)
  let ended: string | undefined
  const good = await aGoodAccount(server)
  try {
    await good.run(AbortSignal.timeout(warmUpMs))
    good.forget()
    const sharedUrl = `${good.relayOrigin}/slow`
    const attacker = await startAttack({ attack, ready, certificate, sharedUrl })
    void server.exited.then((code) => (ended = `the server ended with ${code ?? 'a signal'}: ${lastLines(server)}`))
    const stopping = new AbortController()
    const enough = Promise.all([sleep(seconds * 1_000), attacker.accepted])
    const end = () => stopping.abort()
    void Promise.race([enough, server.exited]).then(end, end)
    const [memoryBytes] = await Promise.all([sampleMemory(ready.pid, stopping.signal), good.run(stopping.signal)])
    const [figures, answers] = await Promise.all([good.figures(), attacker.stop()])
    return { ...figures, memoryBytes, attacker: answers, ended }
  } finally {
    good.close()
    await server.kill()
    await redis?.stop()
    await location.remove()
  }
}

interface RunningAttack {
  /** Resolves when the server has accepted something of it. */
  accepted: Promise<unknown>
  stop(): Promise<Record<string, number>>
}

async function startAttack(data: AttackData): Promise<RunningAttack> {
  const worker = new Worker(new URL('attack.ts', import.meta.url), { workerData: data })
  const receive = <T>(isIt: (message: unknown) => message is T) =>
    new Promise<T>((resolve, reject) => {
      worker.on('message', (message) => isIt(message) && resolve(message)).once('error', reject)
      worker.once('exit', () => reject(new Error('The attack ended by itself')))
    })
  const accepted = receive((message) => message === 'accepted')
  const stopped = receive((message): message is Record<string, number> => typeof message === 'object')
  // Whoever waits gets the error, too.
  for (const later of [accepted, stopped]) later.catch(() => {})
  await receive((message) => message === 'started')
  return {
    accepted,
    async stop() {
      worker.postMessage('stop')
      return stopped.finally(() => worker.terminate())
    },
  }
}

async function sampleMemory(pid: number, stopping: AbortSignal): Promise<number> {
  let most = 0
  while (!stopping.aborted) {
    most = Math.max(most, await residentBytes(pid).catch(() => 0))
    await sleep(250)
  }
  return most
}

function lastLines(server: ServerProcess): string {
  return server.output().trim().split('\n').slice(-3).join(' | ')
}
