/** What must hold across the tables of the embedded database after any sequence of calls, restarts and restores. */
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backupDatabase, restoreDatabase } from '../../../src/adapters/sqlite/database/backup.ts'
import { createSqliteDirectory } from '../../../src/adapters/sqlite/directory.ts'
import { aDevice as device } from '../../pipeline/a-pipeline-report.ts'
import { aFile, anOpenDatabase } from './a-database.ts'

const bound = { sinceMs: 0, limit: 3, maxBytes: 100_000, maxBytesOfClient: 100_000 }
const options = { queues: 2, entries: 3, leaseMs: 10_000 }

type Step = 'append' | 'keep' | 'accept' | 'bury' | 'unbury' | 'forget' | 'sweep' | 'drop' | 'restart'

/** Sequences that chance seldom finds. */
const examples: Step[][] = [
  ['append', 'bury', 'unbury', 'accept', 'sweep', 'unbury'],
  ['append', 'bury', 'append', 'append', 'append', 'append', 'forget'],
  ['append', 'keep', 'bury', 'sweep', 'unbury', 'restart', 'accept'],
  ['append', 'keep', 'bury', 'append', 'append', 'append', 'append', 'forget'],
  ['append', 'keep', 'sweep', 'restart', 'accept'],
  ['append', 'append', 'append', 'drop', 'drop', 'restart', 'keep', 'accept', 'sweep'],
]

test('every waiting, buried and recent report has its body, and no body is left over', async () => {
  const step = fc.constantFrom<Step[]>(
    'append',
    'keep',
    'accept',
    'bury',
    'unbury',
    'forget',
    'sweep',
    'drop',
    'restart',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const file = await aFile()
      let open = await anOpenDatabase({ file })
      let receivedAtMs = 0
      let appended = 0

      const take = async (step: Step): Promise<void> => {
        const { log, recent, clock } = open
        await clock.advance(1_000)
        if (step === 'append') {
          await log.append(['a', 'b'].map((queue) => ({ queue, body: `"${appended++}"` })))
        } else if (step === 'drop') await log.append([{ queue: 'a', body: `"${appended++}"` }], { perQueue: 2 })
        else if (step === 'keep' || step === 'accept' || step === 'bury') {
          for (const lease of await log.lease(options)) {
            const kept = lease.entries.map(({ seq, body }) => ({
              seq,
              receivedAtMs: ++receivedAtMs,
              report: body,
              positions: 1,
              tags: [],
            }))
            if (step !== 'bury' || receivedAtMs % 2 === 0) await recent.append(lease.queue, kept, bound)
            const seqs = lease.entries.map(({ seq }) => seq)
            if (step === 'bury') {
              await log.settle(lease, { accepted: [], buried: seqs.map((seq) => ({ seq, reason: 'poison' })) })
            } else await log.settle(lease, { accepted: step === 'accept' ? seqs : [] })
          }
        } else if (step === 'unbury') {
          const [first] = await log.listBuried({ limit: 1 })
          if (first) await log.unbury([first.seq])
        } else if (step === 'forget') await log.forgetBuried(clock.now() - 3_000)
        else if (step === 'sweep') await recent.sweep(receivedAtMs - 2)
        else {
          await open.close()
          open = await anOpenDatabase({ file })
        }
      }
      for (const step of steps) await take(step)
      await open.close()

      expect(wrongBodies(file)).toEqual([])
    }),
    { numRuns: 8, examples: examples.map((steps) => [steps]) },
  )
})

/** The seqs whose body is missing, and the bodies that nothing refers to. */
function wrongBodies(file: string): unknown[] {
  const referring = 'SELECT seq FROM report_waiting UNION SELECT seq FROM report_buried'
  const shared = 'SELECT seq FROM recent WHERE report IS NULL'
  return select(
    file,
    `SELECT 'missing' AS is_wrong, seq FROM (${referring} UNION ${shared}) WHERE seq NOT IN (SELECT seq FROM report_body)
     UNION ALL SELECT 'left over', seq FROM report_body WHERE seq NOT IN (${referring} UNION ${shared})`,
  )
}

const aDevice = (localId: string) => ({ ...device, id: `urn:aa:device:a:${localId}`, localId })

test('every index of the directory names a record, also after a change, a removal and a failed insert', async () => {
  const file = await aFile()
  const { engine } = await anOpenDatabase({ file })
  const directory = createSqliteDirectory({ engine })
  const [one, two] = [aDevice('1'), aDevice('2')]
  await directory.insert('device', one)
  await directory.insert('device', two)
  expect(await directory.insert('device', { ...one, id: 'urn:aa:device:b:1' })).toBe(false)
  await directory.insertAll('device', [aDevice('3'), { ...two, id: 'x' }])
  await directory.update('device', one.id, (current) => ({ ...current, name: 'Mast' }))
  await directory.remove('device', two.id)

  expect((await directory.list('device')).map(({ id, name }) => [id, name])).toEqual([[one.id, 'Mast']])
  const orphans = (table: string) =>
    select(
      file,
      `SELECT * FROM ${table} t WHERE NOT EXISTS (SELECT 1 FROM directory WHERE kind = t.kind AND id = t.id)`,
    )
  expect([orphans('directory_index'), orphans('directory_unique')]).toEqual([[], []])
  expect(await directory.list('device', { where: { index: 'localId', equals: '1' } })).toHaveLength(1)
  // What the removed device claimed is free again.
  expect(await directory.insert('device', two)).toBe(true)
})

test('a restore leaves the tables as they were at the backup, and the logs go on from there', async () => {
  const file = await aFile()
  const { log, recent } = await anOpenDatabase({ file })
  await log.append(['"1"', '"2"'].map((body) => ({ queue: 'a', body })))
  const [lease] = await log.lease(options)
  const kept = (lease?.entries ?? []).map(({ seq, body }) => ({
    seq,
    receivedAtMs: 1,
    report: body,
    positions: 1,
    tags: [],
  }))
  await recent.append('a', kept, bound)
  backupDatabase(file, `${file}.backup`)
  await log.settle(lease ?? expect.unreachable(), { accepted: kept.map(({ seq }) => seq) })
  await recent.sweep(2)
  restoreDatabase(file, `${file}.backup`)

  expect((await recent.list('a', bound)).entries.map(({ report }) => report)).toEqual(['"2"', '"1"'])
  expect(wrongBodies(file)).toEqual([])
})

function select(file: string, sql: string): unknown[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(sql).all()
  } finally {
    database.close()
  }
}
