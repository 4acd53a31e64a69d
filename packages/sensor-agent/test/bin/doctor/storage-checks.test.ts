import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toStateFolder } from '../../../src/bin/connect/state-folder.ts'
import { checkStorage } from '../../../src/bin/doctor/storage-checks.ts'
import { fileSpool } from '../../../src/spool/files/file-spool.ts'
import { aSmallDisk, canMount, fill } from '../../support/full-disk.ts'
import { aTempFolder } from '../../support/temp-folder.ts'

test.runIf(canMount)('a full disk is told while an agent runs with the spool, until there is room', async () => {
  const disk = join(await aTempFolder(), 'disk')
  await aSmallDisk(disk)
  const state = toStateFolder({ stateDir: disk })
  const running = await fileSpool(state.spool)
  onTestFinished(() => running.close().catch(() => undefined))

  expect(await spoolOf(state)).toMatchObject({ result: 'ok', detail: 'an agent is running with it' })
  const filler = join(disk, 'filler')
  await fill(filler)
  expect(await spoolOf(state)).toMatchObject({
    result: 'failed',
    detail: expect.stringContaining('the disk takes no write: '),
    advice: expect.stringContaining('make room'),
  })
  await rm(filler)
  expect(await spoolOf(state)).toMatchObject({ result: 'ok' })
})

async function spoolOf(state: ReturnType<typeof toStateFolder>) {
  return (await checkStorage(state)).find(({ name }) => name === 'spool')
}
