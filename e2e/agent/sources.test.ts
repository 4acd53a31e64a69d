/**
 * Real recordings through the real agent process, source by source, into a real server: each position arrives once, in
 * the units of the document. The counts were made outside of this code; the values are computed by hand (1 ft = 0.3048
 * m, 1 kt = 1852/3600 m/s).
 */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { Client } from '@posrep/client-sdk'
import type { PositionData } from '@posrep/spec'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aUser } from '../parts/a-user.ts'
import { type AgentProcess, startAgent } from '../parts/agent-process.ts'
import { deviceUrnOf, seedWith } from '../parts/seed.ts'
import { aServerLocation, type ServerLocation, type ServerProcess, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const recordings = new URL('../../packages/sensor-agent/test/recordings/', import.meta.url)
const snapshotsFile = fileURLToPath(new URL('efhk_2026-01-07.aircraft.jsonl.gz', recordings))
const sbsFile = new URL('../../packages/server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url)
/** ADSB.lol, ODbL 1.0: see bench/recordings/README.md. */
const statesFile = new URL('../../bench/recordings/adsblol_monterey_2025-06-01.jsonl.gz', import.meta.url)
const sensors = 8
let location: ServerLocation
let server: ServerProcess
let user: Client

beforeAll(async () => {
  location = await aServerLocation(seedWith(sensors))
  server = await startServer(location, '--seed', `${location.folder}/seed.json`)
  trust(server.certificate.ca)
  user = await aUser(server)
})
afterAll(async () => {
  await server.stop()
  await location.remove()
})

test('SBS over TCP: every line with a position arrives once, merged with the lines before it', async () => {
  const lines = gunzipSync(readFileSync(sbsFile))
  // Each time the agent connects again, it gets the same lines again.
  const receiver = createTcpServer((socket) => socket.on('error', () => {}).end(lines))
  const agent = await start('roof1', ['--sbs', `127.0.0.1:${await portOf(receiver)}`])

  const positions = await arrived('roof1', 11_128)
  await agent.stop()

  expect(ofTarget(positions, '461E1A')[0]).toMatchObject({
    onGround: true,
    altitudes: [{ height: 0, datum: 'agl' }],
    groundVelocity: { z: 0 },
    target: { ids: [{ id: '461E1A', type: 'ICAO' }] },
  })
  for (const { altitudes = [], onGround } of positions) {
    for (const { datum } of altitudes) expect(datum).toBe(onGround ? 'agl' : 'bar')
  }
  expect(await receivedUnusable(agent)).toBe(0)
})

test('aircraft.json by HTTP: a position that several snapshots repeat arrives once', async () => {
  const snapshots = gunzipSync(readFileSync(snapshotsFile)).toString().trim().split('\n').slice(0, 4)
  let asked = 0
  const receiver = createServer((_, response) => response.end(snapshots[Math.min(asked++, snapshots.length - 1)]))
  const url = `http://127.0.0.1:${await portOf(receiver)}/data/aircraft.json`
  const agent = await start('roof2', ['--readsb', url])

  await until('the last snapshot was read twice', () => asked > snapshots.length + 1)
  const positions = await arrived('roof2', countNewPositions(snapshots))
  await agent.stop()

  // 35,000 ft x 0.3048; 32,775 ft x 0.3048; 502.8 kt x 1852/3600 = 258.663 m/s on a track of 97.89 degrees.
  expect(ofTarget(positions, '7608F9')[0]).toMatchObject({
    sourceTimeStamp: '2026-01-07T06:35:00.354Z',
    altitudes: [
      { height: 10_668, datum: 'bar' },
      { height: 9_989.82, datum: 'wgs84', accuracy: 45 },
    ],
    groundVelocity: { x: 256.214, y: -35.507, z: 0 },
    onGround: false,
  })
})

test('a recording of aircraft.json: every position arrives once', async () => {
  const agent = await start('roof3', ['--replay', snapshotsFile, '--speed', '1000'])

  expect(await agent.exited).toBe(0)
  await arrived('roof3', 1_362)
})

test('a recording with one aircraft per line, of several systems: every position arrives once', async () => {
  const states = gunzipSync(readFileSync(statesFile)).toString().split('\n').slice(0, 1_000)
  const excerpt = join(location.folder, 'states.jsonl')
  writeFileSync(excerpt, states.join('\n'))
  const agent = await start('roof8', ['--replay', excerpt, '--speed', '1000'])

  expect(await agent.exited).toBe(0)
  const positions = await arrived('roof8', 1_000)
  // 4,025 ft x 0.3048; 100 kt x 1852/3600 = 51.444 m/s on a track of 94.6 degrees: x sin 0.99678, y cos -0.08020.
  expect(ofTarget(positions, 'A7395D')[0]).toMatchObject({
    position: { lat: 36.78609, lon: -121.281816 },
    altitudes: [{ height: 1_226.82, datum: 'bar' }],
    groundVelocity: { x: 51.279, y: -4.126 },
    onGround: false,
    target: {
      ids: [
        { id: 'A7395D', type: 'ICAO' },
        { id: 'N5649D', type: 'CallSign' },
      ],
    },
  })
})

test('Remote ID on standard input: a message that is heard several times arrives once', async () => {
  const messages = gunzipSync(readFileSync(new URL('remoteid_anafi_2023-04-01.jsonl.gz', recordings)))
  const agent = await start('roof4', ['--remote-id'], messages)

  expect(await agent.exited).toBe(0)
  const positions = await arrived('roof4', 124)
  expect(positions[0]).toMatchObject({ target: { type: 'aa:target:drone', ids: [{ id: '1588E040445AC004418' }] } })
})

test('NDJSON on standard input: lines arrive byte for byte, and a wrong line does not hold up the others', async () => {
  const lines = [
    '{"id":"1", "sourceTimeStamp":"2026-11-21T12:00:00Z","position":{"lat":6.0e1,"lon":25},"new":1e2}',
    '{"id":',
  ]
  const agent = await start('roof5', ['--stdin'], lines.join('\n'))

  expect(await agent.exited).toBe(1)
  expect(await arrived('roof5', 1)).toMatchObject([{ id: '1', new: 100 }])
  expect(await receivedUnusable(agent)).toBe(1)
})

test('HTTP and UDP push: positions arrive once', async () => {
  const agent = await start('roof6', ['--http', '0', '--udp', '0'])
  const listening = (source: string) =>
    agent.event(({ message }) => message.startsWith(`${source} `) && /listening/.test(message))
  const address = /http:\S+/.exec((await listening('HTTP')).message)?.[0] ?? ''
  const port = Number((await listening('UDP')).message.split(':').at(-1))
  const body = (id: string) =>
    JSON.stringify({ id, sourceTimeStamp: '2026-11-21T12:00:00Z', position: { lat: 60, lon: 25 } })

  const posted = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: body('http'),
  })
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.send(body('udp'), port, '127.0.0.1', () => resolve()))
  const positions = await arrived('roof6', 2)
  socket.close()
  await agent.stop()

  expect(posted.status).toBe(202)
  expect(positions.map(({ id }) => id).toSorted()).toEqual(['http', 'udp'])
})

test('the simulator: pairs of aircraft arrive', async () => {
  const agent = await start('roof7', ['--simulate', 'encounters', '--targets', '4'])

  await until('positions arrive', async () => (await countOf('roof7')) >= 8)
  expect(await agent.stop()).toBe(0)
})

async function start(sensor: string, args: string[], input?: string | Buffer): Promise<AgentProcess> {
  const agent = await startAgent(server, sensor, args, input)
  onTestFinished(() => void agent.process.kill('SIGKILL'))
  return agent
}

/** Waits for this number of positions; then no id may have come twice. */
async function arrived(sensor: string, count: number): Promise<PositionData[]> {
  await until(`${count} positions of ${sensor} arrive`, async () => (await countOf(sensor)) >= count)
  const positions = await positionsOf(sensor)
  expect(positions).toHaveLength(count)
  expect(new Set(positions.map(({ id }) => id)).size).toBe(count)
  return positions
}

/** As the service counts; the positions themselves are some megabytes. */
async function countOf(sensor: string): Promise<number> {
  const { positionReportMetrics } = await user.getDevice(deviceUrnOf(sensor))
  return (positionReportMetrics ?? []).reduce((sum, { positions }) => sum + positions, 0)
}

async function positionsOf(sensor: string): Promise<PositionData[]> {
  const { data } = await user.listRecentReports(deviceUrnOf(sensor))
  return data.toReversed().flatMap(({ positions }) => positions)
}

function ofTarget(positions: PositionData[], sourceId: string): PositionData[] {
  return positions.filter(({ target }) => target?.sourceId === sourceId)
}

async function receivedUnusable(agent: AgentProcess): Promise<number | undefined> {
  return (await agent.event(({ event }) => event === 'ended')).unusable
}

/** By aircraft, coordinates and time, to 0.2 s. */
function countNewPositions(snapshots: string[]): number {
  const seen = new Set<string>()
  for (const text of snapshots) {
    const { now, aircraft } = JSON.parse(text)
    for (const { hex, lat, lon, seen_pos } of aircraft)
      if (lat !== undefined && seen_pos <= 60) seen.add([hex, lat, lon, Math.round((now - seen_pos) * 5)].join())
  }
  return seen.size
}

async function portOf(server: ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // A listening server has an address with a port.
  return (server.address() as AddressInfo).port
}
