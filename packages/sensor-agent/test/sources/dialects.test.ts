/** Input of odd receivers, file by file, through the source that reads it: what arrives, and what is told. */
import { once } from 'node:events'
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../src/ports.ts'
import { aircraftJsonSource } from '../../src/sources/adsb/aircraft-json-source.ts'
import { sbsSource } from '../../src/sources/adsb/sbs-source.ts'
import { replaySource } from '../../src/sources/recording/replay-source.ts'
import { remoteIdSource } from '../../src/sources/remote-id/remote-id-source.ts'
import { createManualClock } from '../support/manual-clock.ts'
import { type RunningSource, runASource } from '../support/run-a-source.ts'

test('an altitude that ends with H is above the ellipsoid', async () => {
  const expected = [
    { position: { lat: 60.2 }, altitudes: [{ height: 922.02, datum: 'wgs84' }] },
    { position: { lat: 60.201 }, altitudes: [{ height: 914.4, datum: 'bar' }] },
  ]

  expect(await viaSbs('sbs-altitude-hae-suffix.sbs')).toMatchObject({ positions: expected, unusable: [] })
  expect(await viaReplay('sbs-altitude-hae-suffix.sbs')).toMatchObject({ positions: expected, unusable: [] })
})

test('a line without the time at which it was generated has the one at which it was logged', async () => {
  const { positions } = await viaSbs('sbs-empty-generated-time.sbs')

  expect(timesOf(positions)).toEqual(['2026-11-25T12:00:00.120Z', '2026-11-25T12:00:01.100Z'])
  expect((await viaReplay('sbs-empty-generated-time.sbs')).positions).toHaveLength(2)
})

test('two places at one time are two positions, and none of them comes again after a reconnect', async () => {
  const { positions } = await viaSbs('sbs-same-millisecond.sbs')

  expect(positions.map(({ position }) => position.lat)).toEqual([60.2, 60.2005, 60.201])
  expect(new Set(positions.map(({ id }) => id)).size).toBe(3)
})

test('0/0 is no position', async () => {
  const { positions, unusable } = await viaSbs('sbs-null-island.sbs')

  expect([positions, unusable[0]]).toEqual([[], expect.stringContaining('0/0 is no position')])
})

test('validtrack 0 leaves the velocity out', async () => {
  const { positions } = await viaHttp('old-dump1090-validtrack.json')

  expect(positions).toMatchObject([{ target: { sourceId: '40A005' }, altitudes: [{ height: 914.4, datum: 'bar' }] }])
  expect(positions[0]).not.toHaveProperty('groundVelocity')
})

test('numbers as text are read', async () => {
  expect(await viaHttp('strings-for-numbers.json')).toMatchObject({
    positions: [
      {
        sourceTimeStamp: '2025-11-25T11:59:59.700Z',
        position: { lat: 60.2, lon: 24.9 },
        altitudes: [{ height: 914.4, datum: 'bar' }],
        groundVelocity: { x: 61.785, y: 0 },
      },
    ],
    unusable: [],
  })
})

test('aircraft.json as a receiver writes it is played whole', async () => {
  const played = await viaReplay('aircraft-json-as-written.json')

  expect(played.positions.map(({ target }) => target?.sourceId)).toEqual(['40A071', '40A072', '40A073'])
  expect(played.unusable).toEqual([])
})

test('a number whose start and unit are not stated is no time: the position has that of its reception, and says so', async () => {
  const { positions } = await viaRemoteId('remote-id-time-since-hour.jsonl')

  expect(positions.map(({ position }) => position.lat)).toEqual([47.2, 47.2001, 47.2002])
  for (const { sourceTimeStamp, target } of positions) {
    expect(sourceTimeStamp).toBe('2026-11-25T12:00:00.000Z')
    expect(target?.additionalInfo).toMatchObject({ timeSource: 'agent' })
  }
})

test('a recording has no reception: what has no time in it is told', async () => {
  const { unusable, failure } = await viaReplay('remote-id-time-since-hour.jsonl')

  expect(unusable).toHaveLength(3)
  expect(unusable[0]).toContain('line 1: the message of TEST0000000000000008 has no time')
  expect(failure).toContain('it contains no position')
})

test('an identifier is read without its padding', async () => {
  const { positions, unusable } = await viaRemoteId('remote-id-nul-padded.jsonl')

  expect(positions.map(({ target }) => target?.sourceId)).toEqual(['TEST00000009', 'TEST00000009'])
  expect(unusable).toEqual([])
})

test('nested messages are read', async () => {
  const { positions, unusable } = await viaRemoteId('remote-id-esp32-nested.jsonl')

  expect(positions[0]).toMatchObject({
    target: { ids: [{ id: 'TEST0000000000000010', type: 'SerialNumber' }] },
    position: { lat: 47.2, lon: 8.7 },
    altitudes: [
      { height: 110, datum: 'wgs84' },
      { height: 100, datum: 'bar' },
      { height: 80, datum: 'agl' },
    ],
  })
  expect(unusable).toEqual([])
})

test('a local time is that of the receiver', async () => {
  expect(timesOf((await viaSbs('sbs-local-time.sbs', '+01:00')).positions)).toEqual(['2026-11-25T12:00:00.100Z'])
})

test('on_ground counts more than a pressure altitude', async () => {
  expect((await viaReplay('on-ground-member.jsonl')).positions).toMatchObject([
    { onGround: true, altitudes: [{ height: 0, datum: 'agl' }], groundVelocity: { z: 0 } },
  ])
})

test('null is an empty list', async () => {
  expect(await viaHttp('ac-null.json')).toMatchObject({ positions: [], unusable: [], states: ['reading'] })
})

test('a call sign of zeros is none, and 000000 identifies nobody', async () => {
  const { positions, unusable } = await viaHttp('adsb-callsign-zeros.json')

  expect(positions.map(({ target }) => target?.ids)).toEqual([
    [{ id: '40A141', type: 'ICAO' }],
    [{ id: '40A142', type: 'ICAO' }],
  ])
  expect(unusable).toEqual(['"hex" is "000000"'])
})

test('lines that were broken within a text are one, and the line that is no JSON is told', async () => {
  const { positions, unusable } = await viaReplay('readsb-json-port-broken-lines.jsonl')

  expect(positions.map(({ position }) => position.lon)).toEqual([24.9, 24.8, 24.81, 24.92])
  expect(unusable).toEqual(['line 8: not JSON: garbage line'])
})

test('of odd SBS lines each is read, except for decimal commas', async () => {
  const { positions, unusable } = await viaReplay('sbs-odd-but-real.sbs')

  expect(positions.map(({ target }) => target?.sourceId)).toEqual([
    '~2B0D0D',
    '2B0D0D',
    '40A160',
    '40A161',
    '40A162',
    '40A163',
    '40A164',
    '40A165',
    '40A166',
  ])
  expect(unusable).toEqual([expect.stringContaining('line 11: the numbers have decimal commas')])
})

test('of one address twice in a snapshot the newer position arrives once, however often it is read', async () => {
  const { positions, unusable } = await viaHttp('duplicate-hex-in-one-snapshot.json')

  expect(positions).toMatchObject([{ sourceTimeStamp: '2025-11-25T11:59:59.850Z', position: { lat: 60.2001 } }])
  expect(unusable).toEqual(['"40a170" is in the list twice'])
})

async function viaSbs(name: string, timeZone = 'UTC'): Promise<RunningSource> {
  const lines = readFileSync(fixture(name))
  let connections = 0
  const receiver = createTcpServer((socket) => {
    connections += 1
    socket.on('error', () => undefined).end(lines)
  })
  const source = runASource(sbsSource({ host: '127.0.0.1', port: await portOf(receiver), timeZone }))
  // The second connection sends the same again.
  await source.until(() => connections === 3)
  await source.stop()
  return source
}

async function viaHttp(name: string): Promise<RunningSource> {
  const snapshot = readFileSync(fixture(name))
  let asked = 0
  const receiver = createServer((_, response) => {
    asked += 1
    response.end(snapshot)
  })
  const from = `http://127.0.0.1:${await portOf(receiver)}/data/aircraft.json`
  const source = runASource(aircraftJsonSource({ from, pollMs: 100 }), systemClock)
  await source.until(() => asked === 3)
  await source.stop()
  return source
}

async function viaRemoteId(name: string): Promise<RunningSource> {
  const clock = createManualClock(Date.UTC(2026, 10, 25, 12))
  const source = runASource(remoteIdSource(createReadStream(fixture(name))), clock)
  await source.ended
  return source
}

async function viaReplay(name: string): Promise<RunningSource & { failure: string | undefined }> {
  const source = runASource(replaySource(fixture(name), { speed: 1_000 }))
  const failure = await source.ended.then(() => undefined, String)
  return { ...source, failure }
}

function timesOf(positions: RunningSource['positions']): string[] {
  return positions.map(({ sourceTimeStamp }) => sourceTimeStamp)
}

function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/dialects/${name}`, import.meta.url))
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  // A listening server has an address with a port.
  return (server.address() as AddressInfo).port
}
