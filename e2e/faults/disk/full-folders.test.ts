/** Full folders other than the data folder: for temporary files, and for the log. */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { until } from '../../../testing/real-time.ts'
import { testWith } from '../../parts/requirements.ts'
import { aServerLocation, launchServer, runToEnd } from '../../parts/server-process.ts'
import { aScene } from '../a-scene.ts'
import { aSmallDisk, fill } from './small-disk.ts'

const testOnOwnDisk = testWith('mounting as root', 'a folder that is full')

async function aFullFolder(folder: string): Promise<void> {
  await aSmallDisk(folder, 'size=1m')
  await fill(join(folder, 'filler'))
}

testOnOwnDisk(
  'I1, I10: with a full temporary folder reports are accepted, backed up, restored and relayed',
  async () => {
    const temporaryIn = (folder: string) => ({ TMPDIR: join(folder, 'temporary') })
    const { location, server, submit, untilAllArrived } = await aScene({
      prepare: ({ folder }) => aFullFolder(join(folder, 'temporary')),
      environmentIn: temporaryIn,
    })
    const at = ['--data-dir', join(location.folder, 'data')]
    const backup = join(location.folder, 'backup.sqlite')

    for (let report = 0; report < 10; report++) expect((await submit({ positions: 1_000 })).status).toBe(202)
    for (const command of ['backup', 'restore']) {
      const { code, stderr } = await runToEnd([command, backup, ...at], temporaryIn(location.folder))
      expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' })
    }

    await untilAllArrived()
    expect(await server().stop()).toBe(0)
  },
)

testOnOwnDisk('with --memory and a full temporary folder the server prints one line and exits with 2', async () => {
  const location = await aServerLocation()
  onTestFinished(() => location.remove())
  await aFullFolder(join(location.folder, 'temporary'))
  const launched = launchServer(location, {
    flags: ['--memory'],
    environment: { TMPDIR: join(location.folder, 'temporary') },
  })
  onTestFinished(() => launched.kill())

  await expect(launched.ready).rejects.toThrow(
    /^posrep-server exited with 2 before it was ready:\nposrep-server: The development certificate .* ENOSPC.*\n$/,
  )
})

testOnOwnDisk(
  'I1, I8, I10: with a full log folder only log lines are lost, and with space the log continues',
  async () => {
    const logs = (folder: string) => join(folder, 'logs')
    const { location, server, submit, untilAllArrived } = await aScene({
      prepare: ({ folder }) => aSmallDisk(logs(folder), 'size=1m'),
      // The log is written to a file, and `tail` prints it for the code that waits for a line.
      through: ['sh', '-c', 'tail --pid=$$ -n +1 -F "$LOG" 2>/dev/null & exec "$@" >>"$LOG" 2>&1', 'sh'],
      environmentIn: (folder) => ({ LOG: join(logs(folder), 'server.log') }),
      flags: ['--log-level', 'debug'],
    })
    const filler = join(logs(location.folder), 'filler')
    const lines = async () => {
      const text = await readFile(join(logs(location.folder), 'server.log'), 'utf8')
      return text.match(/"operation":"submitPositionReport"/g)?.length ?? 0
    }

    await fill(filler)
    for (let report = 0; report < 100; report++) expect((await submit()).status).toBe(202)
    const before = await lines()
    await rm(filler)

    await until('the log continues', async () => {
      expect((await submit()).status).toBe(202)
      return (await lines()) > before
    })
    await untilAllArrived()
    expect(await server().stop()).toBe(0)
  },
)
