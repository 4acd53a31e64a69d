/**
 * A process that appends to a log until the disk fails. It prints the accepted entries, and exits with code 7; with 0
 * if no append failed, for example because a commit is not flushed.
 */
import { writeSync } from 'node:fs'
import { openSqliteEngine } from '../../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../../src/adapters/sqlite/log/log.ts'
import { createManualClock } from '../../../../src/contracts/manual-clock.ts'

const file = process.argv[2] ?? ''
const engine = await openSqliteEngine({ file, onFatal: () => process.exit(7) })
const log = await openSqliteLog({ engine, clock: createManualClock(), name: 'report' })
for (let n = 0; n < 1_000; n++) {
  await log.append([{ queue: 'a', body: String(n) }])
  writeSync(1, `${n}\n`)
}
process.exit(0)
