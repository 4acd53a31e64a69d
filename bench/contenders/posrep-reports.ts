/**
 * This server with reports: in memory, on SQLite, or one or more processes on Redis. /metrics counts the accepted
 * reports.
 */
import { setTimeout } from 'node:timers/promises'
import type { ReportWork } from '../load/report-load.ts'
import type { Device } from '../load/report-request.ts'
import type { Contender } from './contender.ts'
import { deviceCount, type Posrep, startPosrep } from './posrep.ts'
import type { StartOptions } from './start-process.ts'
import { startRedis } from './start-redis.ts'

export interface PosrepReportsOptions extends StartOptions {
  /** Settings of the server. */
  args?: string[]
  positions: number
}

export async function startPosrepReports({
  args,
  positions,
  ...options
}: PosrepReportsOptions): Promise<Contender<ReportWork>> {
  const server = await startPosrep(args, options)
  return { ...(await toReportContender([server], positions)), pids: { server: server.pid }, stop: server.stop }
}

/** Several processes on one Redis accept the same tokens and share the load; the cost of Redis is included. */
export async function startPosrepOnRedis({
  processes,
  positions,
  ...options
}: Omit<PosrepReportsOptions, 'args'> & { processes: number }): Promise<Contender<ReportWork>> {
  const redis = await startRedis()
  const servers: Posrep[] = []
  const stop = async () => {
    for (const server of servers) await server.stop()
    await redis.stop()
  }
  try {
    const args = ['--redis', redis.url, '--auth-origin', origin, '--ingest-origin', origin]
    for (let started = 0; started < processes; started++) servers.push(await startPosrep(args, options))
    const pids = servers.map(({ pid }, index): [string, number] => [`server ${index + 1}`, pid])
    return {
      ...(await toReportContender(servers, positions)),
      pids: { ...Object.fromEntries(pids), redis: redis.pid },
      stop,
    }
  } catch (error) {
    // The caller does not have these processes yet, so they are stopped here.
    await stop()
    throw error
  }
}

const origin = 'https://localhost:8443'

/** @param servers Share the load; several servers also share the log. */
async function toReportContender(
  servers: Posrep[],
  positions: number,
): Promise<Omit<Contender<ReportWork>, 'pids' | 'stop'>> {
  const [first] = servers
  if (!first) throw new RangeError('There must be a server')
  const devices: Device[] = []
  for (let device = 0; device < deviceCount; device++) {
    const { accessToken } = await first.tokensFor(device)
    devices.push({ sensorId: `roof${device}`, token: accessToken })
  }
  const work = { ports: servers.map(({ port }) => port), devices, positions }
  return {
    prepare: async () => work,
    async settle() {
      const endAt = performance.now() + settleLimitMs
      while ((await first.readMetric('posrep_log_waiting{log="report"}')) > 0) {
        if (performance.now() > endAt)
          throw new Error(`Reports still wait ${settleLimitMs / 1000} s after the load ended`)
        await setTimeout(50)
      }
      await untilPicturesRest(servers, endAt)
    },
    async countAccepted() {
      const counts = await Promise.all(
        servers.map(({ readMetric }) => readMetric('posrep_reports_total{step="accepted"}')),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
  }
}

const settleLimitMs = 60_000
/** A picture that gets no position for this long has caught up: it looks for new ones several times in this time. */
const restMs = 500

/** What a server still does for its air picture would slow down the next contender. */
async function untilPicturesRest(servers: Posrep[], endAt: number): Promise<void> {
  const count = async () => {
    const counts = await Promise.all(servers.map(({ readMetric }) => readMetric('posrep_air_lag_seconds_count')))
    return counts.reduce((sum, each) => sum + each, 0)
  }
  for (let before = -1, now = await count(); now !== before; ) {
    if (performance.now() > endAt)
      throw new Error(`The air picture is still behind ${settleLimitMs / 1000} s after the load ended`)
    await setTimeout(restMs)
    ;[before, now] = [now, await count()]
  }
}
