/** An `fsync` that lasts long, or fails, beside the writes. */
import { type FileHandle, open, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type FileSpoolOptions, fileSpool } from '../../../src/spool/files/file-spool.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { asAfterAKill, drain, segmentFiles, texts } from '../../support/spool-folder.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

test.each(['file', 'memory-first'] as const)(
  '%s: a slow fsync does not delay the write of later positions',
  async (durability) => {
    const { spool, folder, clock, disk } = await aSpool({ durability })
    await spool.append(texts(1, 1), clock.now())
    await clock.advance(5_000)
    await vi.waitUntil(() => disk.waiting() === 1)

    await spool.append(texts(2, 2), clock.now())
    await clock.advance(3_750)
    await vi.waitUntil(() => spool.metrics().writtenThrough === 2)

    expect(disk.waiting()).toBe(1)
    const restarted = await fileSpool(await asAfterAKill(folder))
    expect(await drain(restarted)).toEqual(texts(1, 2))
    disk.goOn()
    await restarted.close()
    await spool.close()
  },
)

test('what was written during an fsync gets the next one', async () => {
  const { spool, clock, disk } = await aSpool({})
  await spool.append(texts(1, 1), clock.now())
  await clock.advance(5_000)
  await vi.waitUntil(() => disk.waiting() === 1)
  await spool.append(texts(2, 2), clock.now())
  await clock.advance(60_000)
  expect(disk.started()).toBe(1)

  disk.goOn()
  await vi.waitUntil(() => spool.metrics().syncs === 1)
  await clock.advance(5_000)

  await vi.waitUntil(() => spool.metrics().syncs === 2)
  await spool.close()
})

test('segments that ended during an fsync are synced and closed by the next one', async () => {
  const { spool, folder, clock, disk } = await aSpool({ maxBytes: 1_024 * 1_024 })
  await spool.append(texts(1, 1), clock.now())
  await clock.advance(5_000)
  await vi.waitUntil(() => disk.waiting() === 1)
  for (let first = 2; first < 10_000; first += 1_000) await spool.append(texts(first, first + 999), clock.now())
  const segments = (await segmentFiles(folder)).length
  expect(segments).toBeGreaterThan(3)

  disk.goOn()
  await vi.waitUntil(() => spool.metrics().syncs === 1)
  await clock.advance(5_000)

  await vi.waitUntil(() => spool.metrics().syncs === 1 + segments)
  if (process.platform === 'linux') await vi.waitUntil(async () => (await openSegments(folder)) === 1)
  await spool.close()
})

test('an fsync that fails is an alarm, and is tried again; nothing is written into the segment after it', async () => {
  const alarms: string[] = []
  const { spool, folder, clock, disk } = await aSpool({ onAlarm: ({ message }) => alarms.push(message) })
  await spool.append(texts(1, 1), clock.now())
  await clock.advance(5_000)
  await vi.waitUntil(() => disk.waiting() === 1)
  disk.goOn(new Error('EIO: i/o error, fdatasync'))
  await vi.waitUntil(() => spool.metrics().failing)
  expect(alarms).toEqual([expect.stringContaining('EIO')])

  await spool.append(texts(2, 2), clock.now())
  await clock.advance(5_000)

  await vi.waitUntil(() => !spool.metrics().failing && spool.metrics().syncs === 2)
  expect(await segmentFiles(folder)).toHaveLength(2)
  expect(await drain(spool)).toEqual(texts(1, 2))
  await spool.close()
})

test('close waits for the fsync in progress, and writes beside it', async () => {
  const { spool, clock, disk } = await aSpool({ durability: 'memory-first' })
  await spool.append(texts(1, 1), clock.now())
  await clock.advance(5_000)
  await vi.waitUntil(() => disk.waiting() === 1)
  await spool.append(texts(2, 2), clock.now())

  let isClosed = false
  const closing = spool.close().then(() => (isClosed = true))
  await vi.waitUntil(() => spool.metrics().writtenThrough === 2)
  expect(isClosed).toBe(false)
  disk.goOn()

  await closing
  expect(spool.metrics().syncs).toBe(2)
})

async function aSpool(options: FileSpoolOptions) {
  const folder = await aTempFolder()
  const clock = createManualClock()
  const disk = await aSlowDisk(folder)
  return { folder, clock, disk, spool: await fileSpool(folder, { clock, ...options }) }
}

/** Holds each `fsync` of a file until `goOn` is called; those after it are as quick as the disk. */
async function aSlowDisk(folder: string) {
  const handle = await open(folder, 'r')
  // Node does not export the class.
  const fileHandle: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { datasync } = fileHandle
  let held: ((failure?: Error) => void)[] = []
  let isSlow = true
  let started = 0
  const spy = vi.spyOn(fileHandle, 'datasync').mockImplementation(async function (this: FileHandle) {
    started += 1
    if (isSlow) {
      const failure = await new Promise<Error | undefined>((resolve) => held.push(resolve))
      if (failure) throw failure
    }
    return datasync.call(this)
  })
  onTestFinished(() => spy.mockRestore())
  return {
    waiting: () => held.length,
    started: () => started,
    goOn(failure?: Error) {
      isSlow = false
      for (const resolve of held) resolve(failure)
      held = []
    },
  }
}

async function openSegments(folder: string): Promise<number> {
  const links = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')),
  )
  return links.filter((link) => link.startsWith(folder) && link.endsWith('.spool')).length
}
