/** Failures of the disk under the database. `strace` makes the system calls fail. */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { hangsAfterMs } from '../../../../../../testing/real-time.ts'
import { isFatal } from '../../../../src/adapters/sqlite/database/failure.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0
const isRequired = process.env.TEST_REQUIRE_ALL === '1'

test.skipIf(!canTrace && !isRequired)(
  'a failed write to the disk ends the process, and the next process has all accepted entries',
  async () => {
    const file = await aFile()
    const program = join(import.meta.dirname, 'append-until-fatal.ts')
    // The start makes a few of these calls itself, so the failure begins during the appends.
    const inject = 'inject=fsync,fdatasync:error=EIO:when=40+'
    const run = spawnSync(
      'strace',
      ['-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync', '-e', inject, process.execPath].concat(
        '--conditions=@posrep/source',
        program,
        file,
      ),
      { encoding: 'utf8', timeout: hangsAfterMs, killSignal: 'SIGKILL' },
    )

    expect(run.status, run.stderr).toBe(7)
    const accepted = run.stdout.trim().split('\n').map(Number)
    expect(accepted.length).toBeGreaterThan(5)
    const { log } = await anOpenDatabase({ file })
    const waiting = (await log.list('a', { limit: 1_000 })).map(({ body }) => Number(body))
    expect(waiting.slice(0, accepted.length)).toEqual(accepted)
  },
)

test('a full disk, a lock and a wrong argument are not fatal', () => {
  const full = 13
  const busy = 5
  const noRoomForSharedMemory = 4874
  const codes = [full, busy, noRoomForSharedMemory]
  expect(codes.map((errcode) => isFatal(Object.assign(new Error('a failure'), { errcode })))).toEqual([
    false,
    false,
    false,
  ])
  expect(isFatal(new TypeError('wrong'))).toBe(false)
})

test('a failed write, read or fsync and a damaged file are fatal', () => {
  const codes = { read: 266, write: 778, fsync: 1034, corrupt: 11 }
  for (const errcode of Object.values(codes))
    expect(isFatal(Object.assign(new Error('a failure'), { errcode }))).toBe(true)
})

test('a database whose thread has ended refuses calls, and reports the failure once', async () => {
  const created = once(process, 'worker')
  const failures: Error[] = []
  const { log } = await anOpenDatabase({ file: await aFile(), onFatal: (error) => failures.push(error) })
  const [thread]: Worker[] = await created
  await thread?.terminate()

  await expect(log.append([{ queue: 'a', body: '1' }])).rejects.toMatchObject({ code: 'unavailable' })
  expect(failures.map(({ message }) => message)).toEqual(['The database thread has ended'])
})

test('a closed database reports no failure', async () => {
  const failures: Error[] = []
  const { close } = await anOpenDatabase({ file: await aFile(), onFatal: (error) => failures.push(error) })
  await close()
  expect(failures).toEqual([])
})
