import { appendFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ndjsonRecorder } from '../../src/outputs/ndjson-recorder.ts'
import { anId, aPosition, aReport, fakeClock } from '../builders.ts'

const delivery = (n: number) => ({ id: anId('roof1', String(n)), device: 'urn:aa:device:acme:roof1' })

test('each report is a line with its time, ID and device, in order', async () => {
  const file = await aFile()
  const recorder = ndjsonRecorder({ file, clock: fakeClock() })

  await Promise.all([0, 1, 2].map((n) => recorder.record(aReport(), delivery(n))))

  const lines = await linesOf(file)
  expect(lines.map(({ id }) => id)).toEqual([0, 1, 2].map((n) => delivery(n).id))
  expect(lines[0]).toEqual({ receivedAt: '2026-01-07T12:00:31.000Z', ...delivery(0), report: aReport() })
  await recorder.close()
})

test('a full file is rotated, and at most "maxFiles" are kept', async () => {
  const file = await aFile()
  const recorder = ndjsonRecorder({ file, maxBytes: 1_000, maxFiles: 3, clock: fakeClock() })

  for (let n = 0; n < 20; n++) await recorder.record(aReport(), delivery(n))

  const files = [`${file}.2`, `${file}.1`, file]
  const ids = (await Promise.all(files.map(linesOf))).flat().map(({ id }) => id)
  expect(await readdir(join(file, '..'))).toHaveLength(3)
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, n) => delivery(20 - ids.length + n).id))
  for (const each of files) expect((await readFile(each)).byteLength).toBeLessThanOrEqual(1_000)
  await recorder.close()
})

test('reports that are recorded at the same time are rotated like single ones', async () => {
  const file = await aFile()
  const recorder = ndjsonRecorder({ file, maxBytes: 1_000, maxFiles: 100, clock: fakeClock() })
  const large = aReport({ positions: Array.from({ length: 20 }, () => aPosition()) })

  await Promise.all(Array.from({ length: 50 }, (_, n) => recorder.record(n === 7 ? large : aReport(), delivery(n))))
  await recorder.close()

  const count = (await readdir(join(file, '..'))).length
  const files = Array.from({ length: count }, (_, n) => (n === 0 ? file : `${file}.${n}`)).reverse()
  const ids = (await Promise.all(files.map(linesOf))).flat().map(({ id }) => id)
  expect(ids).toEqual(Array.from({ length: 50 }, (_, n) => delivery(n).id))
})

test('a line that a crash cut off is removed at the next start', async () => {
  const file = await aFile()
  const before = ndjsonRecorder({ file })
  await before.record(aReport(), delivery(1))
  await before.close()
  await appendFile(file, `{"id":"${'x'.repeat(200_000)}`)

  const after = ndjsonRecorder({ file })
  await after.record(aReport(), delivery(2))
  await after.close()

  expect((await linesOf(file)).map(({ id }) => id)).toEqual([delivery(1).id, delivery(2).id])
})

test('a report that cannot be written rejects, and the next one is written when the cause is gone', async () => {
  const file = await aFile()
  const folder = join(file, '..', 'later')
  const recorder = ndjsonRecorder({ file: join(folder, 'reports.ndjson') })

  await expect(recorder.record(aReport(), delivery(1))).rejects.toThrow('ENOENT')
  await mkdir(folder)
  await recorder.record(aReport(), delivery(1))

  expect(await linesOf(join(folder, 'reports.ndjson'))).toHaveLength(1)
  await recorder.close()
})

test('a wrong option throws at creation', () => {
  expect(() => ndjsonRecorder({ file: 'x', maxFiles: 0 })).toThrow(
    '"maxFiles" must be a whole number of at least 1, got 0',
  )
})

async function aFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-recorder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return join(folder, 'reports.ndjson')
}

async function linesOf(file: string): Promise<{ id: string }[]> {
  const text = await readFile(file, 'utf8')
  expect(text.endsWith('\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
