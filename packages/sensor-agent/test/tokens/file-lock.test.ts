import { readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/ports.ts'
import { fileLock } from '../../src/tokens/file-lock.ts'
import { aTempFolder } from '../support/temp-folder.ts'

async function aLock() {
  const folder = await aTempFolder()
  const file = join(folder, 'tokens.lock')
  return { folder, file, lock: fileLock(file, systemClock) }
}

test('tasks run one after the other, also those of another lock on the same file', async () => {
  const { folder, file, lock } = await aLock()
  const other = fileLock(file, systemClock)
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

test('the lock of another machine is broken when it is older than any refresh', async () => {
  const { file, lock } = await aLock()
  await writeFile(file, `${process.pid} another-machine 1`)
  const longAgo = new Date(Date.now() - 41_000)
  await utimes(file, longAgo, longAgo)

  expect(await lock(async () => 7)).toBe(7)
})

test('where no lock can be created the task runs without one', async () => {
  const { folder } = await aLock()
  const lock = fileLock(join(folder, 'no', 'tokens.lock'), systemClock)
  expect(await lock(async () => 7)).toBe(7)
})
