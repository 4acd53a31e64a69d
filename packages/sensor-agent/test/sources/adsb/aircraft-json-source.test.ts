import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../src/ports.ts'
import { aircraftJsonSource } from '../../../src/sources/adsb/aircraft-json-source.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { runASource } from '../../support/run-a-source.ts'

const snapshot = (second: number) =>
  JSON.stringify({ now: 1_767_767_700 + second, aircraft: [{ hex: '461f67', lat: 60.3, lon: 24.9, seen_pos: 0 }] })

test('the file is read again and again, and may be missing for a time', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-readsb-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'aircraft.json')
  const source = runASource(aircraftJsonSource({ from: file }))

  await source.until(() => source.states.length === 1)
  for (const second of [0, 1]) {
    await writeFile(`${file}.new`, snapshot(second))
    await rename(`${file}.new`, file)
    await source.until(() => source.positions.length === second + 1)
  }
  await source.stop()

  expect(source.states).toEqual([expect.stringMatching(/cannot be read: ENOENT/), 'reading'])
  expect(source.positions.map(({ sourceTimeStamp }) => sourceTimeStamp)).toEqual([
    '2026-01-07T06:35:00.000Z',
    '2026-01-07T06:35:01.000Z',
  ])
})

test.each([
  ['an object without aircraft', '{"version":"3.14","refresh":1000}'],
  ['text', '"hello"'],
])('a file with %s is told once', async (_, text) => {
  const { source, elapsed } = await aPolledFile(text)

  await elapsed(10_000)

  expect(source.states).toEqual([expect.stringMatching(/cannot be read: it is not aircraft.json/)])
})

test('aircraft without an address are counted once for each snapshot, and the others are reported', async () => {
  const [good] = JSON.parse(snapshot(0)).aircraft
  const { source, elapsed } = await aPolledFile(JSON.stringify({ now: 1_767_767_700, aircraft: [{ hex: 'x' }, good] }))

  await elapsed(5_000)

  expect(source.unusable).toEqual(['"hex" is "x"'])
  expect(source.positions).toHaveLength(1)
})

test('a snapshot without a time that is read again is not newer', async () => {
  const { source, elapsed, write } = await aPolledFile('[{"hex":"461f67","lat":60.3,"lon":24.9,"seen_pos":0}]')
  await elapsed(5_000)
  expect(source.positions).toHaveLength(1)

  await write('[{"hex":"461f67","lat":60.3,"lon":24.9,"seen_pos":0.1}]')
  await elapsed(7_000)

  expect(source.positions).toHaveLength(2)
})

test('a receiver whose time stands still is told once, and again when it goes on', async () => {
  const { source, elapsed, write } = await aPolledFile(snapshot(0))
  await elapsed(14_000)
  expect(source.states).toEqual(['reading'])

  await elapsed(60_000)
  await write(snapshot(75))
  await elapsed(70_000)

  expect(source.states).toEqual(['reading', expect.stringMatching(/^stands still/), 'reading'])
})

test('an HTTP address is polled; errors and torn answers are told once', async () => {
  const answers = [
    [503, ''],
    [503, ''],
    [200, '{"now": 17677'],
    [200, snapshot(0)],
  ] as const
  let asked = 0
  const server = createServer((_, response) => {
    const [status, body] = answers[Math.min(asked++, 3)] ?? [500, '']
    response.writeHead(status).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo
  const from = `http://127.0.0.1:${port}/data/aircraft.json`
  const source = runASource(aircraftJsonSource({ from, pollMs: 100 }), systemClock)

  await source.until(() => source.positions.length === 1 && asked > 5)
  await source.stop()

  expect(source.positions).toHaveLength(1)
  expect(source.states).toEqual(['cannot be read: it answered 503', expect.stringMatching(/JSON/), 'reading'])
})

test.each([
  ['a comma too many', '{"now":1,"aircraft":[],}', 'it is not JSON: there is a comma before a closing bracket'],
  ['NaN', '{"now":1,"aircraft":[{"hex":"461f67","lat":NaN}]}', 'it is not JSON: a number is NaN or Infinity'],
  ['an end that is missing', '{"now":1,"aircraft":[', 'it was cut off: the JSON does not end'],
  ['a page', '<html>', 'it is a web page, not JSON; check the address'],
])('a snapshot with %s is shown, and counted once as unreadable', async (_, text, message) => {
  const { source, elapsed, write } = await aPolledFile(text)
  await elapsed(5_000)
  await write(snapshot(0))
  await elapsed(7_000)
  await source.stop()

  expect(source.states).toEqual([`cannot be read: ${message}`, 'reading'])
  expect(source.unusable).toEqual([message])
  expect(source.positions).toHaveLength(1)
})

test('a receiver that asks to try later is asked when it said', async () => {
  let asked = 0
  const server = createServer((_, response) => {
    asked += 1
    if (asked === 1) response.writeHead(429, { 'retry-after': '120' }).end()
    else response.end(snapshot(0))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  // A listening server has an address with a port.
  const { port } = server.address() as AddressInfo
  const clock = createManualClock()
  const source = runASource(aircraftJsonSource({ from: `http://127.0.0.1:${port}/aircraft.json` }), clock)

  await source.until(() => source.states.length === 1 && clock.sleepers() === 1)
  await clock.advance(119_999)
  expect([asked, source.states]).toEqual([1, ['cannot be read: it answered 429']])
  await clock.advance(1)
  await source.until(() => source.positions.length === 1)
  await source.stop()

  expect(asked).toBe(2)
})

test('a named pipe in place of the file is told, for it may never have a writer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-readsb-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pipe')
  spawnSync('mkfifo', [file])
  const source = runASource(aircraftJsonSource({ from: file }))

  await source.until(() => source.states.length === 1)
  await source.stop()

  expect(source.states).toEqual(['cannot be read: it is a pipe; give the file that the receiver writes'])
})

test('a compressed file is named', async () => {
  const { source, elapsed } = await aPolledFile('\x1f\x8b\x08')

  await elapsed(1_000)
  await source.stop()

  expect(source.states).toEqual(['cannot be read: it is compressed (gzip); give the address of the plain file'])
})

/** A file that is read once in each second of a clock that does not wait. */
async function aPolledFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-readsb-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'aircraft.json')
  const write = async (text: string) => {
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
  }
  await write(text)
  const clock = createManualClock()
  const startMs = clock.now()
  const source = runASource(aircraftJsonSource({ from: file }), clock)
  return {
    source,
    write,
    async elapsed(ms: number) {
      while (clock.now() < startMs + ms) {
        // The file of this second was read.
        await source.until(() => clock.sleepers() === 1)
        await clock.advance(1_000)
      }
      await source.until(() => clock.sleepers() === 1)
    },
  }
}
