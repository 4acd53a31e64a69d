/** The contract of every `RecentReports`: tests that each run on a new instance. */
import assert from 'node:assert/strict'
import type { RecentEntry, RecentReports } from '../ports/storage/recent-reports.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'

const minute = Date.UTC(2026, 0, 7, 6, 32)

export function recentReportsContract(test: RegisterTest, create: () => Promise<Subject<RecentReports>>): void {
  const fact = createFact(test, create, () => undefined)
  const bound = { sinceMs: 0, limit: 100 }

  fact('entries are listed newest first and unchanged', async (recent) => {
    await recent.append('a', [anEntry(1), anEntry(2, { tags: ['late'] })], bound)
    await recent.append('b', [anEntry(3)], bound)
    assert.deepEqual(await recent.list('a', bound), {
      entries: [anEntry(2, { tags: ['late'] }), anEntry(1)],
      truncated: false,
    })
  })

  fact('an entry that is appended again is stored and counted once', async (recent) => {
    await recent.append('a', [anEntry(1), anEntry(2)], bound)
    await recent.append('a', [anEntry(1), anEntry(2), anEntry(3)], bound)
    assert.deepEqual(
      (await recent.list('a', bound)).entries.map(({ seq }) => seq),
      [3, 2, 1],
    )
    assert.deepEqual(
      (await recent.metrics(['a'], 0)).get('a')?.map(({ reports }) => reports),
      [3],
    )
  })

  fact('a list that leaves out reports is marked as truncated', async (recent) => {
    await recent.append(
      'a',
      [1, 2, 3].map((seq) => anEntry(seq)),
      bound,
    )
    const { entries, truncated } = await recent.list('a', { sinceMs: 0, limit: 2 })
    assert.deepEqual([entries.map(({ seq }) => seq), truncated], [[3, 2], true])
  })

  fact('reports that left the window are not listed', async (recent) => {
    await recent.append('a', [anEntry(1, { receivedAtMs: minute }), anEntry(2, { receivedAtMs: minute + 1 })], bound)
    assert.deepEqual(
      (await recent.list('a', { sinceMs: minute + 1, limit: 10 })).entries.map(({ seq }) => seq),
      [2],
    )
  })

  fact('only the newest reports within the bound are kept, and the list is marked as truncated', async (recent) => {
    for (let seq = 1; seq <= 300; seq++) await recent.append('a', [anEntry(seq)], { sinceMs: 0, limit: 10 })
    const { entries, truncated } = await recent.list('a', { sinceMs: 0, limit: 10 })
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      [300, 299, 298, 297, 296, 295, 294, 293, 292, 291],
    )
    assert.equal(truncated, true)
  })

  fact('metrics count reports and positions per minute, oldest first, per device', async (recent) => {
    const next = minute + 60_000
    await recent.append('a', [anEntry(1), anEntry(2, { positions: 5 }), anEntry(3, { receivedAtMs: next })], bound)
    const metrics = await recent.metrics(['a', 'silent'], minute)
    assert.deepEqual(metrics.get('a'), [
      { windowStart: '2026-01-07T06:32:00.000Z', reports: 2, positions: 7 },
      { windowStart: '2026-01-07T06:33:00.000Z', reports: 1, positions: 2 },
    ])
    assert.deepEqual(metrics.get('silent'), [])
  })

  fact('a sweep deletes the reports of devices that no longer report', async (recent) => {
    await recent.append('a', [anEntry(1)], bound)
    await recent.sweep(minute + 120_000)
    assert.deepEqual(await recent.list('a', bound), { entries: [], truncated: false })
    assert.deepEqual((await recent.metrics(['a'], 0)).get('a'), [])
  })
}

function anEntry(seq: number, overrides: Partial<RecentEntry> = {}): RecentEntry {
  return { seq, receivedAtMs: minute + seq, report: `{"positions":[${seq}]}`, positions: 2, tags: [], ...overrides }
}
