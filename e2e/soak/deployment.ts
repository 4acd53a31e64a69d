/**
 * Processes that are killed and started again: one on SQLite, or two on one Redis.
 * In: how many sensors. Out: its origins, its certificate, and ways to kill a process or its Redis at any moment.
 */
import { cp, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RedisProcess, startRedis } from '../redis-process.ts'
import { seedWith } from '../seed.ts'
import { aPlace, type LaunchedServer, launchServer, type Place, type ServerProcess } from '../server-process.ts'

export interface Deployment {
  origins: string[]
  /** As the first process printed it. */
  first: ServerProcess
  redis: RedisProcess | undefined
  /** Kills it and starts it again, ready or not. */
  restart(index: number): Promise<void>
  /** Waits for it. One that cannot start, because its Redis is away, is started again, as a supervisor would. */
  ready(index: number): Promise<ServerProcess>
  /** Exit codes, after SIGTERM. */
  stop(): Promise<(number | null)[]>
  /** Whatever is left of it. */
  remove(): Promise<void>
}

export async function aDeployment({ sensors, redis: isShared }: { sensors: number; redis: boolean }) {
  const redis = isShared ? await startRedis() : undefined
  const places = await Promise.all(Array.from({ length: isShared ? 2 : 1 }, () => aPlace(seedWith(sensors))))
  const origins = places.map(({ port }) => `https://localhost:${port}`)
  const flags = (place: Place) => [
    ...['--seed', join(place.folder, 'seed.json'), '--allow-private-relays', '--log-level', 'warn'],
    ...(redis
      ? ['--redis', redis.url, ...['auth', 'ingest', 'ui'].flatMap((of) => [`--${of}-origin`, `${origins[0]}`])]
      : []),
  ]
  const launched: LaunchedServer[] = []
  const launch = (index: number): LaunchedServer => {
    const place = getPlace(places, index)
    return (launched[index] = launchServer(place, { flags: flags(place) }))
  }
  const ready = async (index: number, attempts = 5): Promise<ServerProcess> => {
    try {
      return await (launched[index] ?? launch(index)).ready
    } catch (error) {
      if (attempts === 1) throw error
      launch(index)
      return ready(index, attempts - 1)
    }
  }
  const first = await ready(0)
  for (const index of places.keys()) {
    if (index === 0) continue
    await copyCertificate(getPlace(places, 0), getPlace(places, index))
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
      await Promise.all(places.map((place) => place.remove()))
    },
  } satisfies Deployment
}

/** One development CA for all of them, so that each trusts the relay and the sensors trust each. */
async function copyCertificate(from: Place, to: Place): Promise<void> {
  await mkdir(join(to.folder, 'data'), { mode: 0o700 })
  for (const file of ['tls.pem', 'tls-key.pem', 'ca.pem', 'ca-key.pem'].map((name) => `development-${name}`)) {
    await cp(join(from.folder, 'data', file), join(to.folder, 'data', file))
  }
}

function getPlace(places: Place[], index: number): Place {
  const place = places[index]
  if (!place) throw new RangeError(`There are ${places.length} processes, none has the index ${index}`)
  return place
}
