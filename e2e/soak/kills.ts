/**
 * Kills processes under load, and compares what was answered 202 with what a relay received.
 * In: the number of kills and the kind of deployment. Out: the counts, and one line for each violation of I1, I2, I3
 * and I6 of the service: no accepted report is lost, a repetition has the same id, first deliveries are in the order of
 * acceptance, and a report that cannot be accepted now is answered 503. On a cluster also for each code, token or
 * pairing that was honoured twice, or after its revocation, or that was lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hangsAfterMs, until } from '../../testing/real-time.ts'
import { aReportText, aSensor, type Sensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { startRedisCluster } from '../parts/redis-cluster.ts'
import { deviceUrnOf, someLocalIds } from '../parts/seed.ts'
import { trust } from '../parts/trust.ts'
import { createClusterFaults } from './cluster-faults.ts'
import { aDeployment, type Deployment } from './deployment.ts'
import { createRandom, type Random } from './random.ts'
import { aRecorder, type Recorder } from './recorder.ts'
import { aSecretsLoad, type SecretsLoad } from './secrets-load.ts'

export interface KillsOptions {
  kills: number
  seed: number
  /**
   * `redis`: two processes on one Redis; every tenth kill is of Redis. `cluster`: two processes on a Redis Cluster with
   * `--redis-replicas 1`, of which also nodes fail and slots move. Default: one process on SQLite.
   */
  storage?: 'sqlite' | 'redis' | 'cluster'
  /** Default 12. */
  sensors?: number
  /** Called after each kill. @param what Has happened. */
  onKill?: (kills: number, counts: { accepted: number; delivered: number; what: string }) => void
}

export interface KillsResult {
  kills: number
  accepted: number
  /** Reports that were sent and got no answer. */
  unanswered: number
  refused: number
  delivered: number
  repeated: number
  /** Codes, refresh tokens, pairings and revocations that were tried; only on a cluster. */
  secrets: SecretsLoad['counts']
  violations: string[]
}

/** A process that is suspended does not answer. */
const answerMs = 1_000
/** They are paired in turns, so that what was not answered is over when their turn comes again. */
const pairedSensors = 10

export async function soakKills({
  kills,
  seed,
  storage = 'sqlite',
  sensors: count = 12,
  onKill,
}: KillsOptions): Promise<KillsResult> {
  const random = createRandom(seed)
  const cluster = storage === 'cluster' ? await startRedisCluster() : undefined
  const localIds = someLocalIds(count + 1 + pairedSensors)
  const [revokedId = '', ...pairedIds] = localIds.slice(count)
  const deployment = await aDeployment({
    ...{ sensors: localIds.length, redis: storage === 'redis' },
    ...(cluster && { cluster }),
  }).catch(async (error) => {
    await cluster?.stop()
    throw error
  })
  const { certificate } = deployment.first
  trust(certificate.ca)
  const recorder = await aRecorder({ certificate, random: createRandom(seed + 1), troubled: 0.05 })
  const faults = cluster && createClusterFaults({ cluster, deployment, random })
  try {
    const sensors = await Promise.all(
      someLocalIds(count).map((localId) =>
        aSensor({ origin: deployment.origins[0] ?? '', ca: certificate.ca, localId }),
      ),
    )
    const user = await aUser(deployment.first)
    for (const { localId } of sensors)
      await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })

    const stopping = new AbortController()
    const loads = sensors.map((sensor, n) =>
      aLoad({
        ...{ sensor, recorder, origins: deployment.origins, random: createRandom(seed + 2 + n) },
        givesUp: cluster ? 0 : 0.2,
      }),
    )
    const secrets = aSecretsLoad({ origins: deployment.origins, localId: revokedId, pairedIds })
    const running = loads.map((load) => load.run(stopping.signal))
    if (cluster) running.push(secrets.run(stopping.signal))
    for (let killed = 1; killed <= kills; killed++) {
      const what = faults ? await faults.next() : await killAtAnyMoment(deployment, random)
      await untilAccepted(() => total(loads))
      // Sometimes it runs long enough to deliver its backlog.
      await sleep(random.whole(0, random.chance(0.1) ? 3_000 : 400))
      onKill?.(killed, { accepted: total(loads), delivered: recorder.counts.first, what })
    }
    await faults?.end()
    await sleep(500)
    stopping.abort()
    await Promise.all(running)
    for (const sensor of sensors) sensor.close()

    const lost = await missing(loads, recorder)
    const codes = await deployment.stop()
    return {
      kills,
      accepted: total(loads),
      unanswered: loads.reduce((sum, { unanswered }) => sum + unanswered(), 0),
      refused: loads.reduce((sum, { refused }) => sum + refused(), 0),
      delivered: recorder.counts.first,
      repeated: recorder.counts.repeated,
      secrets: secrets.counts,
      violations: [
        ...secrets.violations,
        ...lost.slice(0, 100).map((id) => `${id} was answered 202 and did not arrive`),
        ...loads.flatMap(({ unexpected }) => unexpected.slice(0, 20)),
        ...recorder.violations,
        ...codes.filter((code) => code !== 0).map((code) => `a process exited with ${code} after SIGTERM`),
      ],
    }
  } finally {
    await faults?.end()
    recorder.stop()
    await deployment.remove()
    await cluster?.stop()
  }
}

/** Kills one process, usually while it works, sometimes while it starts. */
async function killAtAnyMoment(deployment: Deployment, random: Random): Promise<string> {
  const { redis, origins } = deployment
  if (redis && random.chance(0.1)) {
    await sleep(random.whole(0, 300))
    await redis.kill()
    await sleep(random.whole(0, 300))
    await redis.restart()
    return 'Redis is killed'
  }
  const index = random.whole(0, origins.length - 1)
  await deployment.restart(index)
  if (random.chance(0.15)) {
    await sleep(random.whole(0, 500))
    await deployment.restart(index)
  }
  await deployment.ready(index)
  return 'a process is killed'
}

/** However slow the machine is, it works when it is killed. */
async function untilAccepted(accepted: () => number): Promise<void> {
  const before = accepted()
  await until('reports are accepted again', () => accepted() > before)
}

interface Load {
  queue: string
  accepted: Set<number>
  /** Unexpected answers. */
  unexpected: string[]
  unanswered(): number
  refused(): number
  run(stopping: AbortSignal): Promise<void>
}

/** Limit of accepted and undelivered reports of a sensor, far below the server's limit for one relay. */
const maxInFlight = 1_000

interface LoadOptions {
  sensor: Sensor
  recorder: Recorder
  origins: string[]
  random: Random
  /**
   * Share of the reports without an answer that are not sent again. Not where processes are suspended: they accept such
   * a report later, after those that followed.
   */
  givesUp: number
}

/** Sends one report after the other, so that the order of acceptance is known. */
function aLoad({ sensor, recorder, origins, random, givesUp }: LoadOptions): Load {
  const queue = sensor.localId
  const accepted = new Set<number>()
  const unexpected: string[] = []
  let unanswered = 0
  let refused = 0

  async function run(stopping: AbortSignal): Promise<void> {
    for (let number = 1; !stopping.aborted; number++) {
      while (accepted.size - recorder.received(queue).size > maxInFlight && !stopping.aborted) await sleep(20)
      // Some have 2 KiB or more: Redis stores these bodies in separate keys.
      const body = aReportText(`${queue}:${number}`, random.whole(1, 12))
      while (!stopping.aborted && (await attempt(number, body)) === 'again') await sleep(random.whole(1, 20))
    }
  }

  async function attempt(number: number, body: string): Promise<'done' | 'again'> {
    const origin = origins[random.whole(0, origins.length - 1)] ?? ''
    try {
      const { status, headers, body: text } = await sensor.submit(body, { origin, deadlineMs: answerMs })
      if (status === 202) {
        accepted.add(number)
        return 'done'
      }
      if (status !== 503 || headers['retry-after'] === undefined)
        unexpected.push(`${queue}:${number} was answered ${status}: ${text}`)
      refused++
      return 'again'
    } catch (error) {
      if (wasNotSent(error)) return 'again'
      unanswered++
      // It may have been accepted. Some senders continue with the next report, most send it again.
      return random.chance(givesUp) ? 'done' : 'again'
    }
  }

  return { queue, accepted, unexpected, unanswered: () => unanswered, refused: () => refused, run }
}

function wasNotSent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ECONNREFUSED'
}

function total(loads: Load[]): number {
  return loads.reduce((sum, { accepted }) => sum + accepted.size, 0)
}

/** Waits until every accepted report has arrived, or until no more reports arrive. */
async function missing(loads: Load[], recorder: Recorder): Promise<string[]> {
  let arrived = -1
  let sinceMs = performance.now()
  for (;;) {
    const lost = loads.flatMap(({ queue, accepted }) =>
      [...accepted].filter((number) => !recorder.received(queue).has(number)).map((number) => `${queue}:${number}`),
    )
    if (lost.length === 0) return lost
    if (recorder.counts.first !== arrived) {
      arrived = recorder.counts.first
      sinceMs = performance.now()
    }
    if (performance.now() - sinceMs > hangsAfterMs) return lost
    await sleep(100)
  }
}
