/** A power cut may damage the WAL. The database must still open, with its content as it was at one moment. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/adapters/sqlite/database/database.ts'
import { aFile, aFolder, anOpenDatabase } from '../a-database.ts'

const cutPoints = Number(process.env.SOAK_CUT_POINTS ?? 100)
const steps = 90
/** A checkpoint follows this step, so that the WAL contains frames from before and after it. */
const checkpointAfter = 60
const settledBehind = 5

/**
 * The bodies that wait after a number of steps: each step appends one body, and settles the one of five steps before.
 */
function waitingAfter(step: number): number[] {
  return Array.from({ length: step }, (_, n) => n).filter((n) => n >= step - settledBehind)
}

async function aRunningLog() {
  const file = await aFile()
  const { log } = await anOpenDatabase({ file })
  for (let n = 0; n < steps; n++) {
    await log.append([{ queue: 'a', body: String(n) }])
    if (n === checkpointAfter) checkpoint(file)
    if (n < settledBehind) continue
    const [lease] = await log.lease({ queues: 1, entries: 1, leaseMs: 1_000 })
    await log.settle(lease ?? expect.unreachable(), { accepted: lease?.entries.map(({ seq }) => seq) ?? [] })
  }
  return file
}

function checkpoint(file: string): void {
  const beside = new DatabaseSync(file)
  expect(beside.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()).toMatchObject({ busy: 0 })
  beside.close()
}

/** The bodies that wait in the copy, and the result of SQLite's integrity check. */
function open(file: string): { waiting: number[]; check: unknown } {
  const database = openDatabase(file, 'server')
  try {
    const rows = database.sql('SELECT body FROM report_waiting JOIN report_body USING (seq) ORDER BY seq').all()
    const check = database.sql('PRAGMA integrity_check').get()?.integrity_check
    return { waiting: rows.map(({ body }) => Number(body)), check }
  } finally {
    database.close()
  }
}

test(`each of ${cutPoints} damaged copies opens with the content of one moment`, async () => {
  const file = await aRunningLog()
  const folder = await aFolder()
  const wal = readFileSync(`${file}-wal`)
  const copy = join(folder, 'posrep.sqlite')
  const moments = new Set(
    Array.from({ length: steps + 1 }, (_, step) => step).flatMap((step) => [
      String(waitingAfter(step)),
      // Between the append and the settlement of a step.
      String([step - settledBehind - 1, ...waitingAfter(step)].filter((n) => n >= 0)),
    ]),
  )

  writeFileSync(`${copy}-wal`, wal)
  copyFileSync(file, copy)
  expect(open(copy)).toEqual({ waiting: waitingAfter(steps), check: 'ok' })

  const damage = fc.record({
    at: fc.integer({ min: 0, max: wal.length - 1 }),
    kind: fc.constantFrom('truncated', 'garbled', 'zeroed'),
  })
  fc.assert(
    fc.property(damage, ({ at, kind }) => {
      copyFileSync(file, copy)
      writeFileSync(`${copy}-wal`, damaged(wal, at, kind))
      const { waiting, check } = open(copy)
      expect(check).toBe('ok')
      expect(moments).toContain(String(waiting))
    }),
    { numRuns: cutPoints },
  )
})

function damaged(wal: Buffer, at: number, kind: string): Buffer {
  if (kind === 'truncated') return wal.subarray(0, at)
  const torn = Buffer.from(wal)
  const end = Math.min(at + 512, torn.length)
  if (kind === 'zeroed') torn.fill(0, at, end)
  else for (let byte = at; byte < end; byte++) torn[byte] = 255 - (torn[byte] ?? 0)
  return torn
}
