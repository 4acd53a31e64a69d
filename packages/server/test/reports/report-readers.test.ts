import { afterEach, expect, test } from 'vitest'
import { createReportReaders, type ReportReaders } from '../../src/reports/report-readers.ts'
import { summarise } from '../../src/reports/report-summary.ts'
import { aPosition, aReport } from '../a-report.ts'
import { silentLogger } from '../a-server.ts'

let readers: ReportReaders | undefined
afterEach(() => readers?.close())

const largeReport = aReport({
  sensor: { id: 'roof1' },
  positions: Array.from({ length: 200 }, (_, index) => aPosition({ id: `target-${index}` })),
})

function toBytes(body: unknown): Buffer {
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** Reads the body in the thread, as soon as the thread is ready. */
async function readInThread(body: unknown, { mends = false } = {}): Promise<unknown> {
  readers = createReportReaders({ logger: silentLogger, threads: 1, mends })
  let reading: Promise<unknown> | undefined
  await expect.poll(() => (reading ??= readers?.read(toBytes(body))) !== undefined, { interval: 5 }).toBe(true)
  return reading
}

test('a thread returns the same summary of a large report as the main thread', async () => {
  expect(await readInThread(largeReport)).toEqual(summarise(largeReport, false))
})

test('with the compat profile a thread mends a large report, and the summary says so', async () => {
  const { id, ...own } = aPosition()
  const toMend = {
    ...largeReport,
    positions: [...largeReport.positions, { ...own, position: { ...own.position, id } }],
  }
  const meant = { ...largeReport, positions: [...largeReport.positions, aPosition()] }

  expect(await readInThread(toMend, { mends: true })).toEqual(summarise(meant, true))
  expect(await readers?.read(toBytes(largeReport))).toEqual(summarise(largeReport, false))
  await readers?.close()
  expect(await readInThread(toMend)).toBeUndefined()
})

test('the caller keeps the bytes of a body that a thread reads', async () => {
  const bytes = toBytes(largeReport)
  await readInThread(bytes.toString())
  await readers?.read(bytes)
  expect(JSON.parse(bytes.toString())).toEqual(largeReport)
})

test('each body gets its own answer', async () => {
  await readInThread(largeReport)
  const wrong = { ...largeReport, positions: largeReport.positions.map((position) => ({ ...position, id: 7 })) }
  const answers = [largeReport, wrong, largeReport, wrong].map((body) => readers?.read(toBytes(body)))
  const isTaken = (await Promise.all(answers)).map((summary) => summary !== undefined)
  expect(isTaken).toEqual([true, false, true, false])
})

test.each([
  ['a body that is not JSON', `${JSON.stringify(largeReport).slice(0, -1)}`],
  ['a report that is not valid', { ...largeReport, positions: [...largeReport.positions, { id: '' }] }],
  ['a report that repeats a member name', `{"sensor":{"id":"roof2"},${JSON.stringify(largeReport).slice(1)}`],
])('the caller must read %s', async (_, body) => {
  expect(await readInThread(body)).toBeUndefined()
})

test('the caller reads a small report', () => {
  readers = createReportReaders({ logger: silentLogger, threads: 1 })
  expect(readers.read(toBytes(aReport()))).toBeUndefined()
})

test('the caller reads further bodies while the threads have enough to read', async () => {
  await readInThread(largeReport)
  const readings = Array.from({ length: 200 }, () => readers?.read(toBytes(largeReport)))
  expect(readings.at(0)).toBeDefined()
  expect(readings.at(-1)).toBeUndefined()
  await Promise.all(readings)
  expect(readers?.read(toBytes(largeReport))).toBeDefined()
})

test('without threads the caller reads everything', () => {
  readers = createReportReaders({ logger: silentLogger, threads: 0 })
  expect(readers.read(toBytes(largeReport))).toBeUndefined()
})

test('the caller must read the bodies that a thread had not answered when it ended', async () => {
  await readInThread(largeReport)
  const bytes = toBytes(largeReport)
  // More bodies than the thread can finish before it is closed.
  const readings = Array.from({ length: 20 }, () => readers?.read(bytes))
  await readers?.close()
  expect(readings.at(-1)).toBeDefined()
  expect(await readings.at(-1)).toBeUndefined()
  expect(readers?.read(toBytes(largeReport))).toBeUndefined()
})
