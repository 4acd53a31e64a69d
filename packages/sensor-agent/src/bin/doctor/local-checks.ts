/** Checks this machine: the state folder, the spool and the sources. In: settings. Out: checks. */
import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AgentError, toReason } from '../../errors.ts'
import { systemClock } from '../../ports.ts'
import { runSource, type Source } from '../../sources/source.ts'
import { fileSpool } from '../../spool/files/file-spool.ts'
import type { StateFolder } from '../connect/state-folder.ts'
import { type Check, failed, ok, skipped, warning } from './check.ts'

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
    const opened = await fileSpool(folder)
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

/** Long enough for a receiver that writes every second. */
const listenMs = 5_000

/** Listens to each source for a moment; nothing is sent. A source that only waits for others is started and stopped. */
export async function checkSources(sources: readonly Source[]): Promise<Check[]> {
  if (sources.length === 0) return [skipped('source', 'no source was given')]
  return Promise.all(sources.map(checkSource))
}

async function checkSource(source: Source): Promise<Check> {
  const name = `source ${source.name}`
  const stop = new AbortController()
  let [positions, state, unusable] = [0, '', '']
  const take = async () => {
    positions += 1
    if (positions > 100) stop.abort()
  }
  const agent = { report: take, reportJson: take, flush: async () => {}, stats: () => ({ spooledBytes: 0 }) }
  void systemClock.sleep(listenMs, stop.signal).then(() => stop.abort())
  try {
    await runSource(source, agent, {
      signal: stop.signal,
      onState: (message) => (state = message),
      onUnusable: (message) => (unusable = message),
    })
  } catch (error) {
    return failed(name, toReason(error), 'check the source, and the flag that names it')
  } finally {
    stop.abort()
  }
  if (positions > 0)
    return ok(name, `${positions > 100 ? 'more than 100' : positions} reports in ${listenMs / 1_000} s`)
  if (unusable !== '')
    return failed(name, unusable, 'the input has another format; try posrep-agent lint with a sample of it')
  if (/cannot be read|next try/.test(state)) return failed(name, state, 'check that the receiver runs, and its address')
  return warning(
    name,
    state === '' ? 'no position' : state,
    `no position in ${listenMs / 1_000} s; check the receiver and its antenna`,
  )
}
