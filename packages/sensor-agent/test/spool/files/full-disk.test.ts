import { execFileSync } from 'node:child_process'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fileSpool } from '../../../src/spool/files/file-spool.ts'
import { createManualClock } from '../../support/manual-clock.ts'
import { asAfterAKill, drain, texts } from '../../support/spool-folder.ts'
import { aTempFolder } from '../../support/temp-folder.ts'
import { until } from '../../support/until.ts'

const isPossible = process.platform === 'linux' && process.getuid?.() === 0
if (!isPossible) {
  if (process.env.TEST_REQUIRE_ALL === '1') throw new Error('The tests of a full disk need Linux and root')
  process.stderr.write('skipped: a full disk, which needs Linux and root\n')
}

async function aFullDisk(options: { maxMemoryBytes?: number } = {}) {
  const disk = join(await aTempFolder(), 'disk')
  await mkdir(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'tmpfs', disk])
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
  const folder = join(disk, 'spool')
  const filler = join(disk, 'filler')
  const clock = createManualClock()
  const alarms: string[] = []
  const spool = await fileSpool(folder, { clock, onAlarm: ({ code }) => alarms.push(code), ...options })
  await spool.append(texts(1, 1_000), clock.now())
  await fill(filler)
  return { spool, folder, filler, clock, alarms }
}

test.skipIf(!isPossible)(
  'a full disk is survived in memory: one alarm, no lost position, and the files again when there is room',
  async () => {
    const { spool, folder, filler, clock, alarms } = await aFullDisk()
    for (let first = 1_001; first < 9_000; first += 1_000) await spool.append(texts(first, first + 999), clock.now())
    expect(alarms).toEqual(['spool_unwritable'])
    expect(spool.metrics().failing).toBe(true)
    expect(spool.counters()).toMatchObject({ entries: 9_000, dropped: 0 })

    await clock.advance(5_000)
    // The second attempt is over.
    await until(() => clock.sleepers() === 1)
    expect(spool.metrics().failing).toBe(true)
    await writeFile(filler, '')
    await clock.advance(5_000)
    await until(() => spool.metrics().writtenThrough === 9_000 && !spool.metrics().failing)

    const restarted = await fileSpool(await asAfterAKill(folder))
    expect(await drain(restarted)).toEqual(texts(1, 9_000))
    await restarted.close()
    expect(await drain(spool)).toEqual(texts(1, 9_000))
    await spool.close()
  },
)

test.skipIf(!isPossible)(
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

test.skipIf(!isPossible)('a spool that cannot write at the end says how many positions are lost', async () => {
  const { spool, clock } = await aFullDisk()
  await spool.append(texts(1_001, 9_000), clock.now())

  await expect(spool.close()).rejects.toMatchObject({
    code: 'spool_unwritable',
    message: expect.stringContaining('8000 positions are lost'),
  })
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

/** Fills the file system to the last byte. */
async function fill(file: string): Promise<void> {
  const handle = await open(file, 'a')
  try {
    for (const bytes of [65_536, 4_096]) {
      for (;;)
        if ((await handle.write(Buffer.alloc(bytes, 'x')).catch(() => ({ bytesWritten: 0 }))).bytesWritten < bytes)
          break
    }
  } finally {
    await handle.close()
  }
}
