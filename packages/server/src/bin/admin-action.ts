/**
 * What all administrative commands have in common: where the storage is, `--json`, and how they end.
 * Exit 0: done. 1: it cannot be done; standard error says what and what to do. 2: a wrong argument or setting.
 */
import type { Command } from 'commander'
import { createSystemClock } from '../adapters/system-clock.ts'
import { AdminError } from '../admin/admin-error.ts'
import { type Row, toTable, toVisible } from '../admin/table.ts'
import { ApiError, SettingsError } from '../errors.ts'
import { type OpenAdministration, openAdministration } from '../open-administration.ts'
import type { Settings } from '../setting-table.ts'
import { addSettings, readSettings } from './command-settings.ts'

export interface Answer {
  /** For `--json`: one document. */
  json: unknown
  /** For people. */
  text: string
  /** Said on standard error, with exit 1, besides the document. */
  problems?: string[]
}

type Administration = OpenAdministration['administration']

/** `rest` is what commander hands over: the arguments, then the options. */
export type Work<A extends unknown[]> = (administration: Administration, ...rest: A) => Promise<Answer>

const storageSettings = ['data-dir', 'redis', 'redis-durability']

/** @param moreSettings Besides where the storage is: what changes how entries are judged. */
export function adminAction<A extends unknown[]>(
  command: Command,
  work: Work<A>,
  moreSettings: string[] = [],
): Command {
  command.optionsGroup('Where the storage of the server is, and how to answer:')
  return addSettings(command, new Set([...storageSettings, ...moreSettings]))
    .option('--json', 'print one JSON document')
    .action(async (...given: unknown[]) => {
      // Commander hands over the arguments, the options and the command, as they were declared on it.
      const rest = given.slice(0, -1) as A
      await run(command, (administration) => work(administration, ...rest))
    })
}

async function run(command: Command, work: (administration: Administration) => Promise<Answer>): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  try {
    const { json, text, problems = [] } = await withAdministration(await readSettings(command), work)
    const shown = command.getOptionValue('json') === true ? JSON.stringify(json, undefined, 2) : text
    if (shown !== '') process.stdout.write(`${shown}\n`)
    if (problems.length > 0) fail(problems, 1)
  } catch (error) {
    if (error instanceof SettingsError) fail([error.message], 2)
    else if (error instanceof AdminError || error instanceof ApiError) fail([error.message], 1)
    else throw error
  }
}

async function withAdministration<T>(
  settings: Settings,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { administration, close } = await openAdministration(settings, createSystemClock())
  try {
    return await work(administration)
  } finally {
    await close()
  }
}

/** The code is set, not exited with, so that everything is written first. */
function fail(problems: string[], exitCode: 1 | 2): void {
  process.stderr.write(problems.map((problem) => `posrep-server: ${toVisible(problem)}\n`).join(''))
  process.exitCode = exitCode
}

/** A table as wide as the terminal allows, or what to do about there being nothing. */
export function toList<T>(entries: T[], toRow: (entry: T) => Row, whenEmpty: string): Answer {
  // Some terminals do not know how wide they are, and say 0.
  const width = process.stdout.columns || undefined
  const text = entries.length === 0 ? whenEmpty : toTable(entries.map(toRow), width)
  return { json: entries, text }
}
