/**
 * Measures the cost of one report on Redis, for bench/README.md. Each device reports once a second.
 * SCALE_POSITIONS, SCALE_RELAYS=1, SCALE_AIR=off, SCALE_SENSORS and SCALE_SECONDS set what is measured; limits are
 * checked for reports of one position without relays.
 */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor, type Sensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { startRedis } from '../parts/redis-process.ts'
import { describeWith } from '../parts/requirements.ts'
import { deviceUrnOf, seedWith, someLocalIds } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { createRandom } from '../soak/random.ts'
import { aRecorder } from '../soak/recorder.ts'

const sensorCount = Number(process.env.SCALE_SENSORS ?? 100)
const positions = Number(process.env.SCALE_POSITIONS ?? 1)
const hasRelays = process.env.SCALE_RELAYS === '1'
const air = process.env.SCALE_AIR ?? 'on'
const seconds = Number(process.env.SCALE_SECONDS ?? 4)

describeWith('redis-server', 'the cost of a report on Redis')('a report on Redis', () => {
  test('takes at most a fixed number of calls, commands and bytes', async () => {
    const redis = await startRedis()
    const location = await aServerLocation(seedWith(sensorCount))
    const flags = ['--redis', redis.url, '--seed', `${location.folder}/seed.json`, '--log-level', 'warn']
    const server = await startServer(location, ...flags, '--allow-private-relays', '--air', air)
    trust(server.certificate.ca)
    const recorder = await aRecorder({ certificate: server.certificate, random: createRandom(1), troubled: 0 })
    try {
      const { ca } = server.certificate
      const at = { origin: server.ready.ingestOrigin, ca }
      const sensors: Sensor[] = []
      for (const localId of someLocalIds(sensorCount)) sensors.push(await aSensor({ ...at, localId }))
      if (hasRelays) {
        const user = await aUser(server)
        for (const { localId } of sensors) {
          await user.updateRelay(deviceUrnOf(localId), { url: recorder.url, state: 'Active' })
        }
      }
      const info = async () => toInfo(await readInfo(redis.url))
      const idle = async () => {
        const found = await (await fetch(`${server.ready.origin}/metrics`)).text()
        return (
          /posrep_log_waiting\{log="report"\} 0/.test(found) && /posrep_log_waiting\{log="delivery"\} 0/.test(found)
        )
      }
      const reports = sensorCount * seconds
      // A first round, so that scripts are loaded, caches filled and connections open.
      await Promise.all(sensors.map(({ localId, submit }) => submit(aReportText(`${localId}:1`, positions))))
      await until('the first reports are processed', idle)
      await sleep(1_000)

      // The cost of the idle process is subtracted.
      const quiet = await difference(info, server.ready.pid, () => sleep(seconds * 1_000))
      const busy = await difference(info, server.ready.pid, async () => {
        await Promise.all(
          sensors.map(async ({ localId, submit }, n) => {
            await sleep((n * 1_000) / sensorCount)
            for (let second = 0; second < seconds; second++) {
              const next = sleep(1_000)
              // A busy machine refuses a report now and then.
              while ((await submit(aReportText(`${localId}:${second + 2}`, positions))).status !== 202) await sleep(100)
              await next
            }
          }),
        )
        await until('all reports are processed', idle)
        await sleep(1_000)
      })
      for (const sensor of sensors) sensor.close()

      const of = (figure: keyof Figures) => (busy[figure] - quiet[figure]) / reports
      const figures = {
        bodyBytes: Buffer.byteLength(aReportText('roof1:1', positions)),
        calls: of('calls'),
        commands: of('commands'),
        serverMicroseconds: of('serverMs') * 1_000,
        redisMicroseconds: of('redisMs') * 1_000,
        // Redis also allocates and frees memory for itself, so nothing is subtracted from this figure.
        memoryBytes: busy.memory / reports,
        fileBytes: of('file'),
        toRedisBytes: of('received'),
        fromRedisBytes: of('sent'),
      }
      const text = Object.entries(figures).map(([name, figure]) => `${name} ${figure.toFixed(1)}`)
      process.stderr.write(
        `a report of ${positions}, ${hasRelays ? 'relayed' : 'not relayed'}, ${sensorCount} sensors, per report: ${text.join(', ')}\n` +
          `idle, per second: calls ${(quiet.calls / seconds).toFixed(1)}, Redis ${(quiet.redisMs / seconds).toFixed(1)} ms, server ${(quiet.serverMs / seconds).toFixed(1)} ms\n`,
      )

      if (hasRelays || positions !== 1) return
      // What a report takes that shares no call with another one: the faster the machine, the fewer reports share
      // calls.
      expect(figures.calls).toBeLessThan(13)
      expect(figures.commands).toBeLessThan(105)
      expect(figures.memoryBytes).toBeLessThan(6 * figures.bodyBytes)
      expect(figures.fileBytes).toBeLessThan(14 * figures.bodyBytes)
    } finally {
      recorder.stop()
      await server.kill()
      await redis.stop()
      await location.remove()
    }
  })
})

interface Figures {
  /** Script calls of the processes. */
  calls: number
  /** Commands of Redis, including those in scripts. */
  commands: number
  serverMs: number
  redisMs: number
  memory: number
  file: number
  received: number
  sent: number
}

async function difference(
  info: () => Promise<Map<string, string>>,
  pid: number,
  work: () => Promise<unknown>,
): Promise<Figures> {
  const before = toFigures(await info(), pid)
  await work()
  const after = toFigures(await info(), pid)
  // Both objects have the same members.
  const names = Object.keys(before) as (keyof Figures)[]
  return Object.fromEntries(names.map((name) => [name, after[name] - before[name]])) as unknown as Figures
}

function toFigures(info: Map<string, string>, pid: number): Figures {
  const number = (name: string) => Number(info.get(name))
  const calls = (name: string) => Number(/^calls=(\d+)/.exec(info.get(`cmdstat_${name}`) ?? '')?.[1] ?? 0)
  const all = [...info.keys()].filter((name) => name.startsWith('cmdstat_')).map((name) => calls(name.slice(8)))
  return {
    calls: calls('evalsha') + calls('eval'),
    commands: all.reduce((sum, count) => sum + count, 0),
    serverMs: cpuMs(pid),
    redisMs: (number('used_cpu_sys_main_thread') + number('used_cpu_user_main_thread')) * 1_000,
    memory: number('used_memory_dataset'),
    file: number('aof_current_size'),
    received: number('total_net_input_bytes'),
    sent: number('total_net_output_bytes'),
  }
}

function readInfo(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let reply = ''
    socket.once('error', reject).setEncoding('utf8')
    socket.on('data', (chunk) => {
      reply += chunk
      const [, length, text = ''] = /^\$(\d+)\r\n(.*)$/s.exec(reply) ?? []
      if (length === undefined || Buffer.byteLength(text) < Number(length)) return
      socket.destroy()
      resolve(text)
    })
    socket.write('INFO everything\r\n')
  })
}

function toInfo(text: string): Map<string, string> {
  return new Map(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const colon = line.indexOf(':')
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1)]]
    }),
  )
}

/** User and system time, with a resolution of 10 ms. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}
