import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fileSpool } from '../../../src/spool/files/file-spool.ts'
import { encodeRecords, header, type SpoolRecord, scanRecords } from '../../../src/spool/files/record.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { asAfterAKill, damage, drain, segmentFiles, texts } from '../../support/spool-folder.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

/** A folder with positions 1 to 10, as a killed process leaves it. */
async function aKilledSpool() {
  const folder = await aTempFolder()
  const spool = await fileSpool(folder)
  await spool.append(texts(1, 10), 1_000)
  const copy = await asAfterAKill(folder)
  await spool.close()
  return copy
}

test('positions that a killed process had stored are there after the restart, in order', async () => {
  const spool = await fileSpool(await aKilledSpool())

  expect(spool.recovery).toEqual({
    entries: 10,
    tooOld: 0,
    cleanStop: false,
    mayHaveLostMs: 0,
    damaged: 0,
    tornBytes: 0,
  })
  expect(spool.counters()).toMatchObject({ entries: 10, lastSequence: 10 })
  expect(await drain(spool)).toEqual(texts(1, 10))
  await spool.close()
})

test('the start tells in which time positions may be lost: the syncMs of the run that was killed, with memory-first', async () => {
  const folder = await aTempFolder()
  const clock = createManualClock()
  const before = await fileSpool(folder, { durability: 'memory-first', syncMs: 2_000, clock })
  await before.append(texts(1, 1), clock.now())

  const after = await fileSpool(await asAfterAKill(folder))

  expect(after.recovery).toMatchObject({ entries: 0, cleanStop: false, mayHaveLostMs: 2_000 })
  await after.close()
  await before.close()
})

test('after a clean stop the positions that were sent are not there, and new ones follow the old', async () => {
  const folder = await aTempFolder()
  const before = await fileSpool(folder)
  await before.append(texts(1, 10), 1_000)
  await before.remove(1, 3)
  await before.remove(7, 8)
  await before.close()

  const after = await fileSpool(folder)
  expect(after.recovery).toMatchObject({ entries: 5, cleanStop: true })
  await after.append(texts(11, 12), 2_000)

  expect(await drain(after)).toEqual([...texts(4, 6), ...texts(9, 12)])
  await after.close()
})

test('a file that is left from a first write that failed is replaced', async () => {
  const folder = await aTempFolder()
  const spool = await fileSpool(folder)
  await writeFile(join(folder, `${'1'.padStart(16, '0')}-0.spool`), 'POSREP')
  await spool.append(texts(1, 2), 1_000)

  const restarted = await fileSpool(await asAfterAKill(folder))
  expect(restarted.recovery).toMatchObject({ damaged: 0, tornBytes: 0 })
  expect(await drain(restarted)).toEqual(texts(1, 2))
  await restarted.close()
  await spool.close()
})

test('positions that are sent while they are being written are gone, and the count of the others is right', async () => {
  const clock = createManualClock()
  const folder = await aTempFolder()
  const spool = await fileSpool(folder, { durability: 'memory-first', clock })
  await spool.append(texts(1, 10), clock.now())
  spool.setOnline?.(false)
  await Promise.resolve()
  await spool.remove(1, 10)
  await spool.append(texts(11, 12), clock.now())
  await clock.advance(1_000)
  await vi.waitUntil(async () => (await readdir(folder)).some((name) => name.endsWith('.gone')))
  const restarted = await fileSpool(await asAfterAKill(folder))

  expect(restarted.recovery.entries).toBe(2)
  expect(await drain(spool)).toEqual(texts(11, 12))
  expect(spool.counters()).toMatchObject({ entries: 0, bytes: 0 })
  await restarted.close()
  await spool.close()
  expect(await readdir(folder)).toEqual([])
})

test('a spool from which everything was sent leaves no files', async () => {
  const folder = await aTempFolder()
  const spool = await fileSpool(folder)
  await spool.append(texts(1, 10), 1_000)
  await drain(spool)
  await spool.close()

  expect(await readdir(folder)).toEqual([])
})

test('what was sent is noted every 5 s, so that a kill sends only the last seconds again', async () => {
  const clock = createManualClock()
  const folder = await aTempFolder()
  const spool = await fileSpool(folder, { clock })
  await spool.append(texts(1, 10), clock.now())
  await spool.remove(1, 3)
  await clock.advance(5_000)
  await vi.waitUntil(async () => (await readdir(folder)).some((name) => name.endsWith('.gone')))
  await spool.remove(4, 5)

  const restarted = await fileSpool(await asAfterAKill(folder))

  expect(await drain(restarted)).toEqual(texts(4, 10))
  await restarted.close()
  await spool.close()
})

test('a write that did not finish is cut off; the positions before it are there', async () => {
  const folder = await aKilledSpool()
  await damage(folder, (bytes) => bytes.subarray(0, bytes.length - 5))

  const spool = await fileSpool(folder)

  expect(spool.recovery).toMatchObject({ entries: 9, damaged: 0 })
  expect(spool.recovery.tornBytes).toBeGreaterThan(0)
  await spool.append(texts(11, 11), 2_000)
  expect(await drain(spool)).toEqual([...texts(1, 9), ...texts(11, 11)])
  await spool.close()
})

test('zeros at the end, as some file systems leave them after a power cut, are cut off', async () => {
  const folder = await aKilledSpool()
  await damage(folder, (bytes) => Buffer.concat([bytes, Buffer.alloc(4_096)]))

  const spool = await fileSpool(folder)

  expect(spool.recovery).toMatchObject({ entries: 10, damaged: 0, tornBytes: 4_096 })
  await spool.close()
})

test('a damaged position in the middle is skipped and counted, wherever the damage is', async () => {
  const folder = await aKilledSpool()
  const [file = ''] = await segmentFiles(folder)
  const { size } = await stat(file)
  const recordBytes = JSON.stringify({ id: '1' }).length + 29
  const headerBytes = size - 9 * recordBytes - (recordBytes + 1)

  for (let at = 0; at < recordBytes; at += 1) {
    const damaged = await asAfterAKill(folder)
    await damage(damaged, (bytes) => {
      const offset = headerBytes + 4 * recordBytes + at
      bytes[offset] = (bytes[offset] ?? 0) ^ 0xff
      return bytes
    })
    const spool = await fileSpool(damaged)
    expect(spool.recovery, `byte ${at}`).toMatchObject({ entries: 9, damaged: 1, tornBytes: 0 })
    expect(await drain(spool)).toEqual([...texts(1, 4), ...texts(6, 10)])
    await spool.close()
  }
})

test('damage that comes while the spool is open is counted, and the rest is delivered', async () => {
  const folder = await aKilledSpool()
  const spool = await fileSpool(folder)
  await damage(folder, (bytes) => {
    bytes[bytes.length - 3] = 0
    return bytes
  })

  expect(await drain(spool)).toEqual(texts(1, 9))
  expect(spool.metrics().damaged).toBe(1)
  expect(spool.counters()).toMatchObject({ entries: 0, bytes: 0 })
  await spool.close()
})

test('after a clean stop a damaged end is no unfinished write: it is counted', async () => {
  const folder = await aTempFolder()
  const before = await fileSpool(folder)
  await before.append(texts(1, 10), 1_000)
  await before.close()
  await damage(folder, (bytes) => bytes.subarray(0, bytes.length - 5))

  const after = await fileSpool(folder)

  expect(after.recovery).toMatchObject({ entries: 9, cleanStop: true, damaged: 1 })
  await after.close()
})

test('a damaged header costs no position', async () => {
  const folder = await aKilledSpool()
  await damage(folder, (bytes) => {
    bytes[3] = 0
    return bytes
  })

  const spool = await fileSpool(folder)
  expect(await drain(spool)).toEqual(texts(1, 10))
  await spool.close()
})

test('a folder of a newer format is refused and not changed', async () => {
  const folder = await aKilledSpool()
  const [file = ''] = await segmentFiles(folder)
  // The checksum of "posrep-spool 3".
  await writeFile(file, 'posrep-spool 3 87cfb1f7\nsomething new')
  const before = await readdir(folder)

  const opening = fileSpool(folder)

  await expect(opening).rejects.toMatchObject({
    code: 'spool_newer_format',
    message: expect.stringContaining('has format 3, and this version reads 2'),
  })
  expect((await readdir(folder)).toSorted()).toEqual(before.filter((name) => name !== 'lock').toSorted())
})

const dayMs = 24 * 3_600_000

test('positions that have waited for a week are dropped and counted, and those before them', async () => {
  const clock = createManualClock()
  const folder = await aTempFolder()
  for (const [id, laterMs] of [
    [1, 0],
    [2, 2 * dayMs],
    [3, 6 * dayMs],
  ] as const) {
    const spool = await fileSpool(folder, { clock })
    await spool.append(texts(id, id), clock.now())
    await spool.close()
    await clock.advance(laterMs)
  }

  const after = await fileSpool(folder, { clock })

  expect(after.counters().dropped).toBe(2)
  expect(after.recovery).toMatchObject({ entries: 1, tooOld: 2 })
  expect(await drain(after)).toEqual(texts(3, 3))
  await after.close()
})

test.each([
  ['1 day behind', 1],
  ['6 days behind', 6],
  ['8 days behind', 8],
  ['400 days behind', 400],
  ['in 1970', 20_000],
])(
  'positions of a minute ago stay when the clock, which was %s, is set: while it runs, and at the next start',
  async (_, days) => {
    const clock = createManualClock()
    clock.setWallClock(-days * dayMs)
    const folder = await aTempFolder()
    const spool = await fileSpool(folder, { clock })
    await spool.append(texts(1, 100), clock.now(), clock.elapsed())

    clock.setWallClock(days * dayMs)
    await clock.advance(60_000)
    expect(await spool.append(texts(101, 200), clock.now(), clock.elapsed())).toMatchObject({ dropped: 0 })
    const restarted = await fileSpool(await asAfterAKill(folder), { clock })

    expect(restarted.counters()).toMatchObject({ entries: 200, dropped: 0 })
    expect((await restarted.peek(200, 100_000)).at(0)?.waitingSinceMs).toBe(clock.elapsed() - 60_000)
    expect((await restarted.peek(200, 100_000)).at(-1)?.waitingSinceMs).toBe(clock.elapsed())
    await restarted.close()
    await spool.close()
  },
)

test('after the machine was started again, the age of a position is what its time says, and what it waits from then on', async () => {
  const clock = createManualClock()
  const folder = await aTempFolder()
  const before = await fileSpool(folder, { clock })
  await before.append(texts(1, 1), clock.now())
  await before.close()
  const [file = ''] = await segmentFiles(folder)
  await writeFile(file, await inAnotherBoot(file))
  await clock.advance(6 * dayMs)

  const after = await fileSpool(folder, { clock })
  expect((await after.peek(1, 100))[0]?.waitingSinceMs).toBeUndefined()
  // The clock is set, which says nothing about the age.
  clock.setWallClock(30 * dayMs)
  expect(await after.append(texts(2, 2), clock.now())).toMatchObject({ dropped: 0 })
  await clock.advance(2 * dayMs)
  const { dropped, reasons } = await after.append(texts(3, 3), clock.now())

  expect([dropped, reasons]).toEqual([1, { full: 0, tooOld: 1, diskFailing: 0 }])
  expect(await drain(after)).toEqual(texts(2, 3))
  await after.close()
})

test('positions from before the clock was set are not taken for old ones', async () => {
  const folder = await aTempFolder()
  const clock = createManualClock(86_400_000)
  const before = await fileSpool(folder, { clock })
  await before.append(texts(1, 2), clock.now())
  await before.close()
  const [file = ''] = await segmentFiles(folder)
  await writeFile(file, await inAnotherBoot(file))

  const after = await fileSpool(folder, { clock: createManualClock() })

  expect(await drain(after)).toEqual(texts(1, 2))
  await after.close()
})

test('a folder of the version before this one is read', async () => {
  const folder = await aKilledSpool()
  // The checksum of "posrep-spool 1".
  await damage(folder, (bytes) =>
    Buffer.concat([Buffer.from('posrep-spool 1 69c1d0db\n'), bytes.subarray(bytes.indexOf('\n') + 1)]),
  )

  const spool = await fileSpool(folder)

  expect(spool.recovery).toMatchObject({ entries: 10, damaged: 0 })
  await spool.close()
})

/** The file as a process of another boot of the machine leaves it. */
async function inAnotherBoot(file: string): Promise<Buffer> {
  const records: SpoolRecord[] = []
  scanRecords(await readFile(file), ({ kind, first, second, text }) => {
    records.push({ kind, first, second, text: kind === 'clock' ? 'another' : text() })
  })
  return Buffer.concat([header, encodeRecords(records)])
}
