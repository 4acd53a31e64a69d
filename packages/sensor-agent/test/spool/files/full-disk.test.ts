import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fileSpool } from '../../../src/spool/files/file-spool.ts'
import { aSmallDisk, canMount, fill, remount } from '../../support/full-disk.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { asAfterAKill, drain, texts } from '../../support/spool-folder.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

async function aFullDisk(options: { maxMemoryBytes?: number } = {}) {
  const disk = join(await aTempFolder(), 'disk')
  await aSmallDisk(disk)
  const folder = join(disk, 'spool')
  const filler = join(disk, 'filler')
  const clock = createManualClock()
  const alarms: string[] = []
  const spool = await fileSpool(folder, { clock, onAlarm: ({ code }) => alarms.push(code), ...options })
  await spool.append(texts(1, 1_000), clock.now())
  await fill(filler)
  return { spool, folder, filler, clock, alarms }
}

test.skipIf(!canMount)(
  'a full disk is survived in memory: one alarm, no lost position, and the files again when there is room',
  async () => {
    const { spool, folder, filler, clock, alarms } = await aFullDisk()
    for (let first = 1_001; first < 9_000; first += 1_000) await spool.append(texts(first, first + 999), clock.now())
    expect(alarms).toEqual(['spool_unwritable'])
    expect(spool.metrics().failing).toBe(true)
    expect(spool.counters()).toMatchObject({ entries: 9_000, dropped: 0 })

    await clock.advance(5_000)
    // The second attempt is over.
    await vi.waitUntil(() => clock.sleepers() === 1)
    expect(spool.metrics().failing).toBe(true)
    await writeFile(filler, '')
    await clock.advance(5_000)
    await vi.waitUntil(() => spool.metrics().writtenThrough === 9_000 && !spool.metrics().failing)

    const restarted = await fileSpool(await asAfterAKill(folder))
    expect(await drain(restarted)).toEqual(texts(1, 9_000))
    await restarted.close()
    expect(await drain(spool)).toEqual(texts(1, 9_000))
    await spool.close()
  },
)

test.skipIf(!canMount)(
  'on a full disk the memory is bounded: the oldest unwritten positions are dropped and counted',
  async () => {
    const { spool, clock } = await aFullDisk({ maxMemoryBytes: 20_000 })

    let dropped = 0
    for (let first = 1_001; first < 9_000; first += 100) {
      dropped += (await spool.append(texts(first, first + 99), clock.now())).dropped
    }

    expect(dropped).toBeGreaterThan(1_000)
    expect(spool.counters()).toMatchObject({ entries: 9_000 - dropped, dropped })
    const left = await drain(spool)
    expect(left).toHaveLength(9_000 - dropped)
    expect(left.slice(0, 1_000)).toEqual(texts(1, 1_000))
    expect(left.at(-1)).toBe(texts(9_000, 9_000)[0])
    await spool.close()
  },
)

test.skipIf(!canMount)('a spool that cannot write at the end says how many positions are lost', async () => {
  const { spool, clock } = await aFullDisk()
  await spool.append(texts(1_001, 9_000), clock.now())

  await expect(spool.close()).rejects.toMatchObject({
    code: 'spool_unwritable',
    message: expect.stringContaining('8000 positions are lost'),
  })
})

/** A disk with positions 1 to 1000 of an earlier process, on which nothing can be written any more. */
async function aDiskThatWasFilled(isKilled: boolean) {
  const { spool, folder, filler } = await aFullDisk()
  if (!isKilled) await writeFile(filler, '')
  const lock = await readFile(join(folder, 'lock'), 'utf8')
  await spool.close()
  if (isKilled) await writeFile(join(folder, 'lock'), JSON.stringify({ ...JSON.parse(lock), pid: 2 ** 30 }))
  await fill(filler)
  return { folder, filler }
}

async function openAgain(folder: string) {
  const clock = createManualClock()
  const alarms: string[] = []
  const spool = await fileSpool(folder, { clock, onAlarm: ({ code }) => alarms.push(code) })
  return { spool, clock, alarms }
}

test.skipIf(!canMount).each([
  ['a clean stop', false],
  ['a kill', true],
])(
  'a start on a full disk after %s runs in memory, and goes back to the files when there is room',
  async (_, isKilled) => {
    const { folder, filler } = await aDiskThatWasFilled(isKilled)

    const { spool, clock, alarms } = await openAgain(folder)
    await spool.append(texts(1_001, 1_100), clock.now())
    expect(alarms).toEqual(['spool_unwritable'])
    expect(spool.recovery).toMatchObject({ entries: 1_000, cleanStop: !isKilled })
    expect(spool.metrics().failing).toBe(true)
    await spool.remove(1, 10)

    await writeFile(filler, '')
    await clock.advance(5_000)
    await vi.waitUntil(() => spool.metrics().writtenThrough === 1_100 && !spool.metrics().failing)
    await expect(fileSpool(folder)).rejects.toMatchObject({ code: 'spool_in_use' })
    const restarted = await fileSpool(await asAfterAKill(folder))
    expect((await drain(restarted)).at(-1)).toBe(texts(1_100, 1_100)[0])
    await restarted.close()
    expect(await drain(spool)).toEqual(texts(11, 1_100))
    await spool.close()
  },
)

test.skipIf(!canMount)('a start on a read-only disk sends what it has', async () => {
  const { spool, folder, filler } = await aFullDisk()
  await writeFile(filler, '')
  await spool.close()
  remount(join(folder, '..'), 'ro')

  const { spool: restarted, clock, alarms } = await openAgain(folder)
  await restarted.append(texts(1_001, 1_002), clock.now())

  expect(alarms).toEqual(['spool_unwritable'])
  expect(await drain(restarted)).toEqual(texts(1, 1_002))
  remount(join(folder, '..'), 'rw')
  await restarted.close()
})

test.skipIf(!canMount)('a folder that does not exist yet and cannot be created is created when it can be', async () => {
  const disk = join(await aTempFolder(), 'disk')
  await aSmallDisk(disk, 'ro')
  const folder = join(disk, 'state', 'spool')
  const { spool, clock } = await openAgain(folder)
  await spool.append(texts(1, 3), clock.now())

  remount(disk, 'rw')
  await clock.advance(5_000)
  await vi.waitUntil(() => !spool.metrics().failing)

  await spool.close()
  const restarted = await fileSpool(folder)
  expect(await drain(restarted)).toEqual(texts(1, 3))
  await restarted.close()
})

test.skipIf(!canMount)('what another process has written since a start on a full disk is left alone', async () => {
  const { folder, filler } = await aDiskThatWasFilled(false)
  const { spool, clock, alarms } = await openAgain(folder)
  await spool.append(texts(2_001, 2_002), clock.now())
  await writeFile(filler, '')
  const other = await fileSpool(folder)
  await other.append(texts(1_001, 1_002), 0)
  await other.close()

  await clock.advance(5_000)
  await vi.waitUntil(() => alarms.length === 2)

  expect(alarms).toEqual(['spool_unwritable', 'spool_in_use'])
  const restarted = await fileSpool(folder)
  expect(await drain(restarted)).toEqual(texts(1, 1_002))
  await restarted.close()
})

test('a spool that cannot write at the end does not count delivered positions as lost', async () => {
  const folder = await aTempFolder()
  const spool = await fileSpool(folder, { durability: 'memory-first' })
  // The first file cannot be created.
  await mkdir(join(folder, '0000000000000001-0.spool'))
  await spool.append(texts(1, 10), 0)
  await spool.remove(3, 6)

  await expect(spool.close()).rejects.toMatchObject({ message: expect.stringContaining('; 6 positions are lost') })
})
