/** Checks this machine: the state folder and the spool. In: the folders. Out: checks. */
import { constants } from 'node:fs'
import { access, mkdir, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { replaceFile } from '@posrep/kernel/replace-file'
import { AgentError, toReason } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports.ts'
import { fileSpool } from '../../spool/files/file-spool.ts'
import type { StateFolder } from '../connect/state-folder.ts'
import { type Check, failed, inTime, ok, warning } from './check.ts'

const minFreeBytes = 300 * 1_048_576

const folderAdvice = 'give a folder that can be written with --state-dir'
const spoolAdvice = 'give another --state-dir, or check the disk'

export async function checkStorage({ folder, spool }: StateFolder, clock: Clock = systemClock): Promise<Check[]> {
  const space = await inTime('state folder', folderAdvice, () => checkFolder(folder, spool), clock)
  if (space.result === 'failed') return [space]
  return [space, await inTime('spool', spoolAdvice, () => checkSpool(spool), clock)]
}

async function checkFolder(folder: string, spool: string): Promise<Check> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
    const { bavail, bsize } = await statfs(dirname(spool))
    const free = `${Math.round((bavail * bsize) / 1_048_576)} MiB free in ${folder}`
    return bavail * bsize < minFreeBytes
      ? warning('state folder', free, 'a full spool takes 256 MiB: make room, or give --spool-megabytes')
      : ok('state folder', free)
  } catch (error) {
    return failed('state folder', toReason(error), folderAdvice)
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
    if (error instanceof AgentError && error.code === 'spool_in_use') return checkDiskOf(folder)
    return failed('spool', toReason(error), spoolAdvice)
  }
}

const probeBytes = 65_536

/**
 * The spool belongs to the agent that runs, so a file beside it shows whether the disk takes what that agent writes.
 */
async function checkDiskOf(spool: string): Promise<Check> {
  const probe = join(dirname(spool), `doctor-${process.pid}`)
  try {
    await replaceFile(probe, ' '.repeat(probeBytes))
    return ok('spool', 'an agent is running with it')
  } catch (error) {
    return failed(
      'spool',
      `an agent is running with it, but the disk takes no write: ${toReason(error)}`,
      'make room, or check the disk; until then new positions are only in the memory of the agent',
    )
  } finally {
    await rm(probe, { force: true })
  }
}
