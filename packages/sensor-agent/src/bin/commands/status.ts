/** `posrep-agent status`: what the running agent is doing; without one, what it left behind. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { withDeadline } from '../../http/deadline.ts'
import { systemClock } from '../../ports.ts'
import { refusedFile } from '../../refused/refused-file.ts'
import type { CommandDefinition } from '../command.ts'
import { type StateFolder, toStateFolder } from '../connect/state-folder.ts'
import { exitCodes } from '../exit-codes.ts'
import type { Snapshot } from '../run/monitor.ts'
import { toLine } from '../run/status-line.ts'
import { optionsOf } from '../settings/options.ts'

export const statusCommand: CommandDefinition = {
  name: 'status',
  description: 'shows what the running agent is doing',
  options: optionsOf.status,
  async run({ settings, output }) {
    const state = toStateFolder(settings)
    const running = await findRunning(state)
    if (running) {
      const { accepted, uptimeSeconds, sources, alarms } = running
      const text = [
        toLine(running, accepted / Math.max(1, uptimeSeconds)),
        ...sources.map(({ name, state }) => `${name}: ${state}`),
        ...alarms.map(({ at, message }) => `action required since ${at}: ${message}`),
      ]
      output.result(text.join('\n'), { running: true, ...running })
      return exitCodes.ok
    }
    const left = await readLeft(state)
    const text =
      `no agent runs with the state folder ${state.folder}\n${left.paired ? 'paired' : 'not paired'}, ` +
      `${left.spoolBytes} bytes in the spool, ${left.refused} refused positions`
    output.result(text, { running: false, ...left })
    return exitCodes.unreachable
  },
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
