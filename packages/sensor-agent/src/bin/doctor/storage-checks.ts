/** Checks this machine: the state folder and the spool. In: the folders. Out: checks. */
import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AgentError, toReason } from '../../errors.ts'
import { fileSpool } from '../../spool/files/file-spool.ts'
import type { StateFolder } from '../connect/state-folder.ts'
import { type Check, failed, ok, warning } from './check.ts'

const minFreeBytes = 300 * 1_048_576

export async function checkStorage({ folder, spool }: StateFolder): Promise<Check[]> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(dirname(spool))
    const free = `${Math.round((bavail * bsize) / 1_048_576)} MiB free in ${folder}`
    const space =
      bavail * bsize < minFreeBytes
        ? warning('state folder', free, 'a full spool takes 256 MiB: make room, or give --spool-megabytes')
        : ok('state folder', free)
    return [space, await checkSpool(spool)]
  } catch (error) {
    return [failed('state folder', toReason(error), 'give a folder that can be written with --state-dir')]
  }
}

async function checkSpool(folder: string): Promise<Check> {
  try {
    let failure: AgentError | undefined
    const opened = await fileSpool(folder, { onAlarm: (error) => (failure = error) })
    if (failure) {
      await opened.close().catch(() => undefined)
      throw failure
    }
    const { entries } = opened.counters()
    const { damaged } = opened.recovery
    await opened.close()
    const detail = `${entries} positions wait`
    return damaged > 0
      ? warning('spool', `${detail}, ${damaged} damaged ones were skipped`, 'check the disk')
      : ok('spool', detail)
  } catch (error) {
    if (error instanceof AgentError && error.code === 'spool_in_use') return ok('spool', 'an agent is running with it')
    return failed('spool', toReason(error), 'give another --state-dir, or check the disk')
  }
}
