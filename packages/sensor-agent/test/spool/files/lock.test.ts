import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockFolder } from '../../../src/spool/files/lock.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

const exposure = { ofKillMs: 0, ofPowerCutMs: 5_000 }

test('a folder that a running process owns is refused; after its release it is free', async () => {
  const folder = await aTempFolder()
  const lock = await lockFolder(folder, exposure)
  await expect(lockFolder(folder, exposure)).rejects.toMatchObject({ code: 'spool_in_use' })
  await lock.release()

  const next = await lockFolder(folder, exposure)
  expect(next.cleanStop).toBe(true)
  await next.release()
  expect(await readdir(folder)).toEqual([])
})

test('the lock of a process that was killed with -9 is taken over', async () => {
  const folder = await aTempFolder()
  const module = JSON.stringify(new URL('../../../src/spool/files/lock.ts', import.meta.url).href)
  const program = `const { lockFolder } = await import(${module}); await lockFolder(process.argv[1], { ofKillMs: 200, ofPowerCutMs: 300 }); console.log('ready'); setInterval(() => {}, 1e6)`
  const conditions = ['--conditions=@posrep/source', '--input-type=module', '-e', program, folder]
  const child = spawn(process.execPath, conditions, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  await expect(lockFolder(folder, exposure)).rejects.toMatchObject({
    code: 'spool_in_use',
    message: expect.stringContaining(String(child.pid)),
  })
  child.kill('SIGKILL')
  await once(child, 'exit')

  const lock = await lockFolder(folder, exposure)

  expect(lock).toMatchObject({ cleanStop: false, mayHaveLostMs: 200 })
  await lock.release()
})

test.each([
  ['another process has the same number', { startedAt: '1' }, 0],
  ['the machine was started again', { boot: 'another' }, 5_000],
  ['the process was in another container', { pidNamespace: 'pid:[1]' }, 0],
])('a lock is taken over when %s', async (_, change, mayHaveLostMs) => {
  const folder = await aTempFolder()
  const owner = await lockFolder(folder, exposure)
  const file = join(folder, 'lock')
  await writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...change }))

  const lock = await lockFolder(folder, exposure)

  expect(lock).toMatchObject({ cleanStop: false, mayHaveLostMs })
  await lock.check()
  await expect(owner.check()).rejects.toMatchObject({ code: 'spool_in_use' })
  await owner.release()
  await lock.check()
  await lock.release()
})

test.each(['', '{"pid":', 'null', '{"pid":0}'])('a lock file that contains %j belongs to nobody', async (text) => {
  const folder = await aTempFolder()
  await writeFile(join(folder, 'lock'), text)

  await (await lockFolder(folder, exposure)).release()
})

test('of many processes that find a stale lock, one gets it', async () => {
  const folder = await aTempFolder()
  await writeFile(join(folder, 'lock'), JSON.stringify({ pid: 2 ** 30 }))

  const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, exposure)))

  expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
