/**
 * The common part of all administrative commands: opening the storage, `--json`, exit codes.
 * Exit 0: done. 1: the command failed; standard error says why and what to do. 2: a wrong argument or setting.
 */

import { toVisible, toVisibleJson } from '@posrep/kernel/visible'
import type { Command } from 'commander'
import { createSystemClock } from '../adapters/system-clock.ts'
import { AdminError } from '../admin/admin-error.ts'
import { type Row, toTable } from '../admin/table.ts'
import { toTime } from '../admin/views.ts'
import { type OpenAdministration, openAdministration } from '../composition/open-administration.ts'
import { ApiError, SettingsError } from '../errors.ts'
import type { Settings } from '../settings/setting-table.ts'
import { addSettings, readSettings } from './command-settings.ts'
import { addYesOption, confirmOnTerminal } from './confirm.ts'

export interface Answer {
  /** The output with `--json`; undefined when the command has written its output itself. */
  json: unknown
  /** The output without `--json`. */
  text: string
  /** Written to standard error; the exit code is 1. */
  problems?: string[]
}

type Administration = OpenAdministration['administration']

/** `rest` has the command's arguments, then its options. */
export type Action<A extends unknown[]> = (administration: Administration, ...rest: A) => Promise<Answer>

const storageSettings = ['dataDir', 'redis', 'redisDurability', 'redisPartitions', 'redisReplicas'] as const

export interface AdminActionOptions<A extends unknown[]> {
  /** Keys of settings that the command takes besides those of the storage. */
  settings?: readonly (keyof Settings)[]
  /** The question that is asked first on a terminal, for what cannot be undone. Default, or `undefined`: none. */
  confirm?: (...rest: A) => string | undefined
}

export function adminAction<A extends unknown[]>(
  command: Command,
  action: Action<A>,
  { settings = [], confirm }: AdminActionOptions<A> = {},
): Command {
  if (confirm) addYesOption(command)
  command.optionsGroup('Storage of the server, and output:')
  return addSettings(command, [...storageSettings, ...settings])
    .option('--json', 'print one JSON document')
    .action(async (...given: unknown[]) => {
      // Commander passes the declared arguments, the options and the command.
      const rest = given.slice(0, -1) as A
      await run(command, confirm?.(...rest), (administration) => action(administration, ...rest))
    })
}

async function run(
  command: Command,
  question: string | undefined,
  action: (administration: Administration) => Promise<Answer>,
): Promise<void> {
  // A reader that closes the pipe, such as `head`, is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    const settings = await readSettings(command)
    if (question !== undefined) await confirmOnTerminal(command, question)
    const { json, text, problems = [] } = await withAdministration(settings, action)
    const shown =
      command.getOptionValue('json') === true
        ? toVisibleJson(JSON.stringify(json, undefined, 2) ?? '')
        : text.split('\n').map(toVisible).join('\n')
    if (shown !== '') process.stdout.write(`${shown}\n`)
    if (problems.length > 0) fail(problems, 1)
  } catch (error) {
    if (error instanceof SettingsError) fail([error.message], 2)
    else if (error instanceof AdminError || error instanceof ApiError) fail([error.message], 1)
    else throw error
  }
}

async function withAdministration(
  settings: Settings,
  action: (administration: Administration) => Promise<Answer>,
): Promise<Answer> {
  const clock = createSystemClock()
  const { administration, close } = await openAdministration(settings, clock, (audit) => {
    // Standard output has the answer of the command.
    process.stderr.write(`${toVisibleJson(JSON.stringify({ level: 'info', time: toTime(clock.now()), audit }))}\n`)
  })
  try {
    return await action(administration)
  } finally {
    await close()
  }
}

/** Sets the exit code instead of exiting, so that all output is written first. */
function fail(problems: string[], exitCode: 1 | 2): void {
  process.stderr.write(problems.map((problem) => `posrep-server: ${toVisible(problem)}\n`).join(''))
  process.exitCode = exitCode
}

/** A table that fits the terminal, or `whenEmpty` without entries. */
export function toList<T>(entries: T[], toRow: (entry: T) => Row, whenEmpty: string): Answer {
  // Some terminals report a width of 0.
  const width = process.stdout.columns || undefined
  const text = entries.length === 0 ? whenEmpty : toTable(entries.map(toRow), width)
  return { json: entries, text }
}
