/** `posrep-agent status`: what the running agent is doing; without one, what it left behind. */
import { readdir, readFile, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { withDeadline } from '@posrep/kernel/with-deadline'
import { systemClock } from '../../ports.ts'
import { refusedFile } from '../../refused/refused-file.ts'
import { findOwner } from '../../spool/files/lock.ts'
import type { CommandDefinition } from '../command.ts'
import { type StateFolder, toStateFolder } from '../connect/state-folder.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Snapshot } from '../run/monitor.ts'
import { toLine, toSourceLine } from '../run/status-line.ts'
import { optionsOf } from '../settings/options.ts'

export const statusCommand: CommandDefinition = {
  name: 'status',
  description: 'show what the running agent is doing',
  options: optionsOf.status,
  examples: ['posrep-agent status', 'posrep-agent status --json --state-dir /var/lib/posrep-agent'],
  async run({ settings, output }) {
    const state = toStateFolder(settings)
    const running = await findRunning(state)
    if (running) {
      const { accepted, uptimeSeconds, sources, alarms } = running
      const text = [
        toLine(running, accepted / Math.max(1, uptimeSeconds)),
        ...sources.map(toSourceLine),
        ...(running.disk.damaged > 0
          ? [`${running.disk.damaged} positions in the spool were damaged, and are lost`]
          : []),
        ...alarms.map(({ at, message }) => `action required since ${at}: ${message}`),
      ]
      output.result(text.join('\n'), { running: true, ...running })
      return exitCodes.ok
    }
    const left = await readLeft(state)
    const owner = await findOwner(state.spool)
    if (owner !== undefined) {
      const text = `an agent runs with the state folder ${state.folder}, as process ${owner}, without a status page; start it without --status off to see more\n${toText(left)}`
      output.result(text, { running: true, pid: owner, ...left })
      return exitCodes.ok
    }
    const unseen = (await isFull(state.folder)) ? fullDisk : ''
    output.result(`no agent runs with the state folder ${state.folder}${unseen}\n${toText(left)}`, {
      running: false,
      ...left,
    })
    return exitCodes.unreachable
  },
}

/** An agent that was started on a full disk has neither a lock of its spool nor the file that names its pages. */
const fullDisk = ', or it was started when the disk was full, as it is: then its log says where its pages are'

async function isFull(folder: string): Promise<boolean> {
  return statfs(folder).then(
    ({ bavail }) => bavail === 0,
    () => false,
  )
}

function toText({ paired, spoolBytes, refused }: Awaited<ReturnType<typeof readLeft>>): string {
  const identity = paired ? 'paired' : 'no paired identity'
  return `${identity}, ${spoolBytes} bytes in the spool, ${refused} refused positions`
}

async function findRunning({ running }: StateFolder): Promise<Snapshot | undefined> {
  try {
    // Written by the running agent.
    const { pid, url } = JSON.parse(await readFile(running, 'utf8')) as { pid: number; url: string }
    // The agent's own page.
    const snapshot = await withDeadline({ clock: systemClock, ms: 3_000 }, async (signal) => {
      const response = await fetch(`${url}/status.json`, { signal })
      return (await response.json()) as Snapshot
    })
    // After a kill, another agent may have the port.
    return snapshot.pid === pid ? snapshot : undefined
  } catch {
    // No file, or the file of an agent that was killed.
    return undefined
  }
}

async function readLeft({ identity, spool, refused }: StateFolder) {
  const files = await readdir(spool).catch(() => [])
  const sizes = await Promise.all(files.map((file) => stat(join(spool, file)).then(({ size }) => size)))
  return {
    paired: await stat(identity).then(
      () => true,
      () => false,
    ),
    spoolBytes: sizes.reduce((sum, size) => sum + size, 0),
    refused: (await refusedFile(refused).list()).length,
  }
}
