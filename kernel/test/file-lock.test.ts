import { writeFileSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { fileLock } from '../src/file-lock.ts'

/** Its sleeps take no time. */
function aClock() {
  let elapsedMs = 0
  return {
    elapsed: () => elapsedMs,
    async sleep(ms: number) {
      elapsedMs += ms
      await setImmediate()
    },
  }
}

async function aLock() {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-lock-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'tokens.lock')
  return { folder, file, lock: fileLock(file, aClock()) }
}

test('tasks run one after the other, also those of another lock on the same file', async () => {
  const { folder, file, lock } = await aLock()
  const other = fileLock(file, aClock())
  let running = 0
  let most = 0
  const task = async () => {
    running += 1
    most = Math.max(most, running)
    await stat(folder)
    running -= 1
  }

  await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? lock : other)(task)))

  expect(most).toBe(1)
  expect(await readdir(folder)).toEqual([])
})

test('a task that fails releases the lock', async () => {
  const { lock } = await aLock()
  await expect(lock(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await lock(async () => 7)).toBe(7)
})

test('the lock of a process that was killed is broken at once', async () => {
  const { file, lock } = await aLock()
  await writeFile(file, `${2 ** 30} ${hostname()} 1`)
  expect(await lock(async () => 7)).toBe(7)
})

test('a lock that a process takes while another breaks that of one that is gone stays', async () => {
  const { folder, file } = await aLock()
  const [gone, live] = [`${2 ** 30} ${hostname()} 1`, `${process.pid} ${hostname()} 2`]
  await writeFile(file, gone)
  const clock = aClock()
  const whenSlept: string[] = []
  let looks = 0
  const lock = fileLock(file, {
    // The second look at the time is between reading the holder and breaking its lock.
    elapsed() {
      if (++looks === 2) writeFileSync(file, live)
      return clock.elapsed()
    },
    async sleep(ms) {
      whenSlept.push(await readFile(file, 'utf8'))
      await rm(file)
      await clock.sleep(ms)
    },
  })

  await lock(async () => {})

  expect(whenSlept).toEqual([live])
  expect(await readdir(folder)).toEqual([])
})

test('the lock of another machine is broken after a wait that is longer than any refresh, whatever time its file has', async () => {
  const { file } = await aLock()
  await writeFile(file, `${process.pid} another-machine 1`)
  const clock = aClock()

  expect(await fileLock(file, clock)(async () => 7)).toBe(7)

  expect(clock.elapsed()).toBeGreaterThan(40_000)
  expect(clock.elapsed()).toBeLessThan(41_000)
})

test('where no lock can be created the task runs without one', async () => {
  const { folder } = await aLock()
  const lock = fileLock(join(folder, 'no', 'tokens.lock'), aClock())
  expect(await lock(async () => 7)).toBe(7)
})
