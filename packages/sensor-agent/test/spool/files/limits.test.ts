import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FileSpoolOptions, fileSpool } from '../../../src/spool/files/file-spool.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { asAfterAKill, drain, texts } from '../../support/spool-folder.ts'
import { aTempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

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

test('memory-first writes what waits longer than syncMs, and everything when the service goes away', async () => {
  const clock = createManualClock()
  const spool = await fileSpool(await aTempFolder(), { durability: 'memory-first', clock })
  await spool.append(texts(1, 1), clock.now())
  await clock.advance(4_999)
  expect(spool.metrics().writtenThrough).toBe(0)
  await clock.advance(1)
  await until(() => spool.metrics().writtenThrough === 1 && spool.metrics().syncs === 1)

  await spool.append(texts(2, 2), clock.now())
  spool.setOnline?.(false)
  await until(() => spool.metrics().writtenThrough === 2)
  await spool.append(texts(3, 3), clock.now())

  expect(spool.metrics().writtenThrough).toBe(3)
  await spool.close()
})

test('offline positions are synced at once, at most once a second; online every 5 s', async () => {
  const clock = createManualClock()
  const spool = await fileSpool(await aTempFolder(), { clock })
  for (let id = 1; id <= 50; id += 1) {
    await spool.append(texts(id, id), clock.now())
    await clock.advance(100)
  }
  await until(() => spool.metrics().syncs === 1)

  spool.setOnline?.(false)
  await spool.append(texts(51, 51), clock.now())
  await clock.advance(1_000)
  await until(() => spool.metrics().syncs === 2)
  await spool.close()
})
