/**
 * Server processes that are killed and restarted: one with SQLite, or two with one Redis or one Redis Cluster.
 * In: the number of sensors. Out: the origins, the certificate, and functions to kill a process or Redis at any time.
 */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { hangsAfterMs } from '../../testing/real-time.ts'
import type { RedisClusterProcesses } from '../parts/redis-cluster.ts'
import { type RedisProcess, startRedis } from '../parts/redis-process.ts'
import { seedWith } from '../parts/seed.ts'
import {
  aServerLocation,
  type LaunchedServer,
  launchServer,
  type ServerLocation,
  type ServerProcess,
} from '../parts/server-process.ts'

export interface Deployment {
  origins: string[]
  /** From the ready event of the first process. */
  first: ServerProcess
  redis: RedisProcess | undefined
  /** Kills the process, ready or not, and starts it again. */
  restart(index: number): Promise<void>
  /**
   * Waits until the process is ready. If it exits because Redis does not answer in time, it is started again and again,
   * like a supervisor does.
   */
  ready(index: number): Promise<ServerProcess>
  /** Sends SIGTERM and resolves with the exit codes. */
  stop(): Promise<(number | null)[]>
  /** Kills all remaining processes and removes the folders. */
  remove(): Promise<void>
}

export interface DeploymentOptions {
  sensors: number
  redis: boolean
  /** Instead of one Redis. Each write must be confirmed by a replica. */
  cluster?: RedisClusterProcesses
}

export async function aDeployment({ sensors, redis: hasRedis, cluster }: DeploymentOptions) {
  const redis = hasRedis ? await startRedis() : undefined
  const isShared = hasRedis || cluster !== undefined
  const storage = cluster ? ['--redis', cluster.url, '--redis-replicas', '1'] : redis ? ['--redis', redis.url] : []
  const locations = await Promise.all(
    Array.from({ length: isShared ? 2 : 1 }, () => aServerLocation(seedWith(sensors))),
  )
  const origins = locations.map(({ port }) => `https://localhost:${port}`)
  const flags = (location: ServerLocation) => [
    ...['--seed', join(location.folder, 'seed.json'), '--allow-private-relays', '--log-level', 'warn'],
    ...storage,
    ...(isShared ? ['auth', 'ingest', 'ui'].flatMap((of) => [`--${of}-origin`, `${origins[0]}`]) : []),
  ]
  const launched: LaunchedServer[] = []
  const launch = (index: number): LaunchedServer => {
    const location = getLocation(locations, index)
    return (launched[index] = launchServer(location, { flags: flags(location) }))
  }
  const ready = async (index: number): Promise<ServerProcess> => {
    const hanging = AbortSignal.timeout(hangsAfterMs)
    for (;;) {
      try {
        return await (launched[index] ?? launch(index)).ready
      } catch (error) {
        if (hanging.aborted) throw error
        launch(index)
      }
    }
  }
  const first = await ready(0)
  for (const index of locations.keys()) {
    if (index === 0) continue
    await copyCertificate(getLocation(locations, 0), getLocation(locations, index))
    await ready(index)
  }
  return {
    origins,
    first,
    redis,
    ready,
    async restart(index) {
      await launched[index]?.kill()
      launch(index)
    },
    stop: () => Promise.all(launched.map(async (_, index) => (await ready(index)).stop())),
    async remove() {
      await Promise.all(launched.map((server) => server.kill()))
      await redis?.stop()
      await Promise.all(locations.map((location) => location.remove()))
    },
  } satisfies Deployment
}

/** All processes use one development CA, so that each trusts the relay, and the sensors trust each process. */
async function copyCertificate(from: ServerLocation, to: ServerLocation): Promise<void> {
  await mkdir(join(to.folder, 'data'), { mode: 0o700 })
  for (const file of ['tls.pem', 'tls-key.pem', 'ca.pem', 'ca-key.pem'].map((name) => `development-${name}`)) {
    await cp(join(from.folder, 'data', file), join(to.folder, 'data', file))
  }
}

function getLocation(locations: ServerLocation[], index: number): ServerLocation {
  const location = locations[index]
  if (!location) throw new RangeError(`There are ${locations.length} processes, none has the index ${index}`)
  return location
}
