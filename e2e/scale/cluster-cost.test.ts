/**
 * Measures what a report costs each node of a Redis Cluster, and what an idle process costs, for docs/scaling.md.
 * SCALE_SENSORS, SCALE_SECONDS and SCALE_PARTITIONS set what is measured: how many devices report, every how many
 * seconds, and over how many partitions.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor, type Sensor } from '../parts/a-sensor.ts'
import { startRedisCluster } from '../parts/redis-cluster.ts'
import type { RedisProcess } from '../parts/redis-process.ts'
import { describeWith } from '../parts/requirements.ts'
import { seedWith, someLocalIds } from '../parts/seed.ts'
import { aServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const sensorCount = Number(process.env.SCALE_SENSORS ?? 300)
const seconds = Number(process.env.SCALE_SECONDS ?? 4)
const partitions = process.env.SCALE_PARTITIONS ?? '64'
const rounds = 3
const tolerance = 0.15
/**
 * The node of the service's part also reads the device of each report, in calls that reports share less on a busy
 * machine. One call more for each report would be 0.3.
 */
const serviceTolerance = 0.4

describeWith('redis-server', 'the cost of a report on a Redis Cluster')('on a Redis Cluster', () => {
  test('each of three primaries carries the share of its devices, and idle calls depend on no number of devices', async () => {
    const cluster = await startRedisCluster()
    const location = await aServerLocation(seedWith(sensorCount))
    const flags = [
      '--redis',
      cluster.url,
      '--redis-partitions',
      partitions,
      '--seed',
      `${location.folder}/seed.json`,
      '--log-level',
      'warn',
      '--air',
      'off',
    ]
    const sensors: Sensor[] = []
    let server: ServerProcess | undefined
    const primaries = cluster.nodes.slice(0, 3)
    try {
      server = await startServer(location, ...flags)
      const { ready, certificate } = server
      trust(certificate.ca)
      const slotOfService = Number((await primaries[0]?.command('CLUSTER KEYSLOT service'))?.slice(1))
      // Each primary has a third of the slots.
      const ofService = Math.floor((slotOfService * primaries.length) / 16_384)
      const isProcessed = async () =>
        /posrep_log_waiting\{log="report"\} 0/.test(await (await fetch(`${ready.origin}/metrics`)).text())
      const measureIdle = () => difference(primaries, () => sleep(seconds * 1_000))
      const perSecond = (figures: Figures[]) => sum(figures.map((node) => perSecondOf(node, 'calls')))
      // The middle one: in its first seconds a process asks every partition, and a busy machine lets it wait.
      const idles = [await measureIdle(), await measureIdle(), await measureIdle()].map(perSecond)
      const withoutDevices = idles.sort((a, b) => a - b)[1] ?? 0
      const at = { origin: ready.ingestOrigin, ca: certificate.ca }
      for (const localId of someLocalIds(sensorCount)) sensors.push(await aSensor({ ...at, localId }))
      const keysBefore = await Promise.all(primaries.map(countKeys))
      await Promise.all(sensors.map(({ localId, submit }) => submit(aReportText(`${localId}:1`))))
      await until('the first reports are processed', isProcessed)
      // Each device has as many keys as another one.
      const keys = (await Promise.all(primaries.map(countKeys))).map((count, n) => count - (keysBefore[n] ?? 0))
      await sleep(1_000)
      let idle: Figures[] = []
      // On a busy machine a process may be late, and catch up.
      await until('an idle process makes as few calls with devices as without', async () => {
        idle = await measureIdle()
        return perSecond(idle) < 1.2 * withoutDevices
      })
      const busy = await difference(primaries, async () => {
        await Promise.all(
          sensors.map(async ({ localId, submit }, n) => {
            await sleep((n * seconds * 1_000) / sensorCount)
            for (let round = 0; round < rounds; round++) {
              const next = sleep(seconds * 1_000)
              // A busy machine refuses a report now and then.
              while ((await submit(aReportText(`${localId}:${round + 2}`))).status !== 202) await sleep(100)
              await next
            }
          }),
        )
        await until('all reports are processed', isProcessed)
        await sleep(1_000)
      })

      const reports = sensorCount * rounds
      /** Without what the same time costs an idle process. */
      const perReport = (figure: keyof Figures) =>
        busy.map((node, n) => (node[figure] - perSecondOf(idle[n], figure) * node.seconds) / reports)
      const [commands, bytes, calls] = [perReport('commands'), perReport('bytes'), perReport('calls')]
      const toText = (figures: number[]) => figures.map((figure) => figure.toFixed(1)).join(' + ')
      process.stderr.write(
        `a report on three primaries: calls ${toText(calls)}, commands ${toText(commands)}, bytes to Redis ${toText(bytes)}, ` +
          `processor time in µs ${toText(perReport('cpuUs'))}\n` +
          `idle with ${partitions} partitions, calls a second of all nodes: ${withoutDevices.toFixed(1)} without devices, ` +
          `${perSecond(idle).toFixed(1)} with ${sensorCount}\n`,
      )
      // With what an idle process costs, which each node has a third of.
      for (const figure of ['commands', 'bytes'] as const) {
        const perKey = busy.map((node, n) => node[figure] / (keys[n] ?? 0))
        const others = perKey.filter((_, n) => n !== ofService)
        const usual = sum(others) / others.length
        for (const other of others) expect(Math.abs(other / usual - 1)).toBeLessThan(tolerance)
        expect(Math.abs((perKey[ofService] ?? 0) / usual - 1)).toBeLessThan(serviceTolerance)
      }
    } finally {
      for (const sensor of sensors) sensor.close()
      await server?.kill()
      await cluster.stop()
      await location.remove()
    }
  })
})

interface Figures {
  /** By the clock of the node. */
  seconds: number
  /** Script calls. */
  calls: number
  /** Commands, including those in scripts. */
  commands: number
  /** Received. */
  bytes: number
  /** Processor time, in µs. */
  cpuUs: number
}

function perSecondOf(figures: Figures | undefined, figure: keyof Figures): number {
  return figures ? figures[figure] / figures.seconds : 0
}

async function difference(nodes: RedisProcess[], work: () => Promise<unknown>): Promise<Figures[]> {
  const before = await Promise.all(nodes.map(readFigures))
  await work()
  const after = await Promise.all(nodes.map(readFigures))
  return after.map(({ seconds, calls, commands, bytes, cpuUs }, n) => ({
    seconds: seconds - (before[n]?.seconds ?? 0),
    calls: calls - (before[n]?.calls ?? 0),
    commands: commands - (before[n]?.commands ?? 0),
    bytes: bytes - (before[n]?.bytes ?? 0),
    cpuUs: cpuUs - (before[n]?.cpuUs ?? 0),
  }))
}

async function readFigures(node: RedisProcess): Promise<Figures> {
  const info = await node.command('INFO everything')
  const calls = [...info.matchAll(/^cmdstat_(.*?):calls=(\d+)/gm)]
  const of = (...names: string[]) =>
    sum(calls.map(([, name = '', count]) => (names.includes(name) ? Number(count) : 0)))
  return {
    seconds: Number(/^server_time_usec:(\d+)/m.exec(info)?.[1]) / 1e6,
    calls: of('evalsha', 'eval'),
    commands: sum(calls.map(([, , count]) => Number(count))),
    bytes: Number(/^total_net_input_bytes:(\d+)/m.exec(info)?.[1]),
    cpuUs: 1e6 * sum([...info.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm)].map(([, seconds]) => Number(seconds))),
  }
}

async function countKeys(node: RedisProcess): Promise<number> {
  // An integer reply begins with a colon.
  return Number((await node.command('DBSIZE')).slice(1))
}

function sum(figures: number[]): number {
  return figures.reduce((all, one) => all + one, 0)
}
