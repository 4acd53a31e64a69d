import { mkdir, readdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type FileSpoolOptions, fileSpool } from '../../../src/spool/files/file-spool.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { asAfterAKill, drain, segmentFiles, texts } from '../../support/spool-folder.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

const MiB = 1_024 * 1_024

/** Positions of `count` targets, one per second each, about 200 bytes. */
function track(targets: number, second: number): string[] {
  return Array.from({ length: targets }, (_, target) =>
    JSON.stringify({ id: `${target}-${second}`, target: { sourceId: `t${target}` }, note: 'x'.repeat(140) }),
  )
}

async function sizeOf(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test.each(['oldest', 'thin-per-target'] as const)(
  'the files stay within the limit, and each position is there or counted as dropped: %s',
  async (whenFull) => {
    const folder = await aTempFolder()
    const spool = await fileSpool(folder, { maxBytes: 2 * MiB, whenFull, clock: createManualClock() })
    let dropped = 0
    for (let second = 0; second < 400; second += 1) {
      dropped += (await spool.append(track(50, second), second)).dropped
      if (second % 50 === 0) expect(await sizeOf(folder)).toBeLessThanOrEqual(2 * MiB)
    }

    expect(await sizeOf(folder)).toBeLessThanOrEqual(2 * MiB)
    const { entries, dropped: counted } = spool.counters()
    expect(counted).toBe(dropped)
    expect(entries + dropped).toBe(20_000)
    await spool.close()
    const restarted = await fileSpool(folder)
    expect(restarted.counters()).toMatchObject({ entries, dropped: counted })
    expect(await drain(restarted)).toHaveLength(entries)
    await restarted.close()
  },
)

test.each(['oldest', 'thin-per-target'] as const)(
  'no position is there twice, and the counts are right, after a file could not be deleted: %s',
  async (whenFull) => {
    const folder = await aTempFolder()
    const clock = createManualClock()
    const alarms: string[] = []
    const onAlarm = ({ code }: { code: string }) => void alarms.push(code)
    const spool = await fileSpool(folder, { maxBytes: 2 * MiB, whenFull, clock, onAlarm })
    // The oldest segment cannot be deleted with a folder in the place of its second file.
    const obstacle = join(folder, `${'1'.padStart(16, '0')}-0.gone`)
    await mkdir(obstacle)
    let dropped = 0
    let second = 0
    for (; alarms.length === 0; second += 1) dropped += (await spool.append(track(50, second), second)).dropped
    expect(alarms).toEqual(['spool_unwritable'])

    await rmdir(obstacle)
    await clock.advance(5_000)
    await vi.waitUntil(() => !spool.metrics().failing)

    const { entries } = spool.counters()
    expect(entries + dropped).toBe(50 * second)
    const restarted = await fileSpool(await asAfterAKill(folder))
    const left = await drain(restarted)
    expect(left).toHaveLength(entries)
    expect(new Set(left).size).toBe(entries)
    await restarted.close()
    await spool.close()
  },
)

test('a start goes on without the positions that are too old when their file cannot be deleted', async () => {
  const folder = await aTempFolder()
  const before = await fileSpool(folder, { clock: createManualClock() })
  await before.append(texts(1, 10), Date.UTC(2026, 0, 1))
  await before.close()
  const obstacle = join(folder, `${'1'.padStart(16, '0')}-0.gone`)
  await mkdir(obstacle)

  const clock = createManualClock(Date.UTC(2026, 1, 1))
  const spool = await fileSpool(folder, { clock })
  expect(spool.counters()).toMatchObject({ entries: 0, dropped: 10 })

  await rmdir(obstacle)
  await spool.append(texts(11, 12), clock.now())
  expect(await drain(spool)).toEqual(texts(11, 12))
  await spool.close()
})

test('the count of dropped positions survives a kill after the segment that had it first is gone', async () => {
  const folder = await aTempFolder()
  const spool = await fileSpool(folder, { maxBytes: MiB, clock: createManualClock() })
  for (let second = 0; second < 300; second += 1) await spool.append(track(50, second), second)
  await drain(spool)
  for (let second = 300; second < 310; second += 1) await spool.append(track(50, second), second)
  const { dropped } = spool.counters()

  const restarted = await fileSpool(await asAfterAKill(folder))

  expect(dropped).toBeGreaterThan(1_000)
  expect(restarted.counters().dropped).toBe(dropped)
  await restarted.close()
  await spool.close()
})

test('dropping the oldest keeps the newest without a gap', async () => {
  const { left } = await overfull({ whenFull: 'oldest' })
  expect(left.at(-1)).toBe('49-399')
  const first = Number(left[0]?.split('-')[1])
  expect(new Set(left.map((id) => Number(id.split('-')[1]))).size).toBe(400 - first)
})

test('thinning keeps the first and the last minutes of each target, the older the coarser, in order', async () => {
  const { left } = await overfull({ whenFull: 'thin-per-target' })

  const seconds = left.filter((id) => id.startsWith('7-')).map((id) => Number(id.split('-')[1]))
  expect(seconds).toEqual(seconds.toSorted((a, b) => a - b))
  expect(seconds[0]).toBeLessThan(60)
  expect(seconds.at(-1)).toBe(399)
  const steps = seconds.slice(1).map((second, at) => second - (seconds[at] ?? 0))
  expect(Math.max(...steps)).toBeLessThanOrEqual(8)
})

async function overfull(options: FileSpoolOptions) {
  const spool = await fileSpool(await aTempFolder(), { maxBytes: 2 * MiB, clock: createManualClock(), ...options })
  for (let second = 0; second < 400; second += 1) await spool.append(track(50, second), second)
  const left = (await drain(spool)).map((json) => (JSON.parse(json) as { id: string }).id)
  await spool.close()
  return { left }
}

test.each(['oldest', 'thin-per-target'] as const)(
  'reading while the oldest positions are dropped is no failure, and what is read is in order: %s',
  async (whenFull) => {
    const clock = createManualClock()
    const spool = await fileSpool(await aTempFolder(), { maxBytes: 2 * MiB, whenFull, clock })
    let reads = 0
    let isWriting = true
    const reading = (async () => {
      while (isWriting) {
        const batch = await spool.peek(500, MiB)
        const sequences = batch.map(({ sequence }) => sequence)
        expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
        reads += 1
        // What is in memory is read without a turn of the event loop, and the writes need some.
        await new Promise((resolve) => setImmediate(resolve))
        if (reads % 5 === 0) await spool.remove(sequences[0] ?? 0, sequences[20] ?? 0)
      }
    })()
    for (let second = 0; second < 800; second += 1) await spool.append(track(50, second), second)
    isWriting = false
    await reading

    const { entries } = spool.counters()
    expect(reads).toBeGreaterThan(20)
    expect(await drain(spool)).toHaveLength(entries)
    expect(spool.counters()).toMatchObject({ entries: 0, bytes: 0 })
    expect(spool.metrics().damaged).toBe(0)
    await spool.close()
  },
)

test('a damaged position that thinning finds is counted, and not as dropped', async () => {
  const folder = await aTempFolder()
  const clock = createManualClock()
  const spool = await fileSpool(folder, { maxBytes: 2 * MiB, whenFull: 'thin-per-target', clock })
  for (let second = 0; second < 100; second += 1) await spool.append(track(50, second), second)
  const [file = ''] = await segmentFiles(folder)
  const bytes = await readFile(file)
  bytes[bytes.length - 3] = 0
  await writeFile(file, bytes)
  // So much that the positions of the damaged file are not in memory any more.
  for (let second = 100; second < 1_000; second += 1) await spool.append(track(50, second), second)

  const { entries, dropped } = spool.counters()
  expect(entries + dropped + spool.metrics().damaged).toBe(50_000)
  expect(await drain(spool)).toHaveLength(entries)
  await spool.close()
})

test('while the service accepts positions, memory-first writes nothing', async () => {
  const clock = createManualClock()
  const spool = await fileSpool(await aTempFolder(), { durability: 'memory-first', clock })
  for (let id = 1; id <= 100; id += 1) {
    await spool.append(texts(id, id), clock.now())
    await clock.advance(1_000)
    await drain(spool)
  }

  expect(spool.metrics()).toMatchObject({ bytesWritten: 0, syncs: 0 })
  await spool.close()
})

test('memory-first writes what waits, before syncMs is over, and everything when the service goes away', async () => {
  const clock = createManualClock()
  const spool = await fileSpool(await aTempFolder(), { durability: 'memory-first', clock })
  await spool.append(texts(1, 1), clock.now())
  await clock.advance(3_749)
  expect(spool.metrics().writtenThrough).toBe(0)
  await clock.advance(1)
  await vi.waitUntil(() => spool.metrics().writtenThrough === 1 && spool.metrics().syncs === 1)

  await spool.append(texts(2, 2), clock.now())
  spool.setOnline?.(false)
  await vi.waitUntil(() => spool.metrics().writtenThrough === 2)
  await spool.append(texts(3, 3), clock.now())

  expect(spool.metrics().writtenThrough).toBe(3)
  await spool.close()
})

test('memory-first keeps at most 10,000 positions that are not written', async () => {
  const spool = await fileSpool(await aTempFolder(), { durability: 'memory-first', clock: createManualClock() })
  await spool.append(texts(1, 10_000), 1_000)
  expect(spool.metrics().writtenThrough).toBe(0)

  await spool.append(texts(10_001, 10_001), 1_000)

  expect(spool.metrics().writtenThrough).toBe(10_001)
  await spool.close()
})

test('offline positions are synced at once, at most once a second; online every 5 s', async () => {
  const clock = createManualClock()
  const spool = await fileSpool(await aTempFolder(), { clock })
  for (let id = 1; id <= 50; id += 1) {
    await spool.append(texts(id, id), clock.now())
    await clock.advance(100)
  }
  await vi.waitUntil(() => spool.metrics().syncs === 1)

  spool.setOnline?.(false)
  await spool.append(texts(51, 51), clock.now())
  await clock.advance(1_000)
  await vi.waitUntil(() => spool.metrics().syncs === 2)
  await spool.close()
})
