/** Database files for tests, in a folder that is removed after the test. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSqliteEngine, type SqliteEngineOptions } from '../../../src/adapters/sqlite/engine.ts'
import { createToolLog } from '../../../src/adapters/sqlite/log/command-log.ts'
import { openSqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { createSqliteRecentReports } from '../../../src/adapters/sqlite/recent/recent-reports.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'

export async function aFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-sqlite-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Mounts a small file system; undefined when this process may not mount one. */
export async function aFileSystem(options: string): Promise<string | undefined> {
  const folder = await aFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'posrep-test', folder], { stdio: 'ignore' })
  } catch (error) {
    if (process.env.TEST_REQUIRE_ALL === '1') throw error
    return undefined
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  return folder
}

export async function aFile(): Promise<string> {
  return join(await aFolder(), 'posrep.sqlite')
}

/** A log and recent reports on one file, opened as by the server. */
export async function anOpenDatabase(options: SqliteEngineOptions) {
  const clock = createManualClock()
  const engine = await openSqliteEngine(options)
  const log = await openSqliteLog({ engine, clock, name: 'report' })
  let isOpen = true
  const close = async () => {
    if (isOpen) await engine.close()
    isOpen = false
  }
  onTestFinished(close)
  return { clock, engine, log, recent: createSqliteRecentReports({ engine, reportLog: log }), close }
}

/** The log of the same file, opened as by a command beside the server. */
export async function aTool(file: string) {
  const clock = createManualClock()
  const engine = await openSqliteEngine({ file, role: 'tool' })
  onTestFinished(() => engine.close())
  return { engine, log: createToolLog({ engine, clock, name: 'report' }) }
}
