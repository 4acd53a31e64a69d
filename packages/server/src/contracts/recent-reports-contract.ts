/** The contract of every `RecentReports`: tests that each run on a new instance. */
import assert from 'node:assert/strict'
import type { RecentEntry, RecentReports } from '../ports/storage/recent-reports.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'

const minute = Date.UTC(2026, 0, 7, 6, 32)

export function recentReportsContract(test: RegisterTest, create: () => Promise<Subject<RecentReports>>): void {
  const fact = createFact(test, create, () => undefined)
  const bound = { sinceMs: 0, limit: 100, maxBytes: 64 * 1024 * 1024, maxBytesOfClient: 64 * 1024 * 1024 }

  fact('entries are listed newest first and unchanged', async (recent) => {
    await recent.append('a', [anEntry(1), anEntry(2, { tags: ['late'], report: '{"ü":"🛰"}' })], bound)
    await recent.append('b', [anEntry(3)], bound)
    assert.deepEqual(await recent.list('a', bound), {
      entries: [anEntry(2, { tags: ['late'], report: '{"ü":"🛰"}' }), anEntry(1)],
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
      (await recent.metrics(['a'], 0)).get('a')?.minutes.map(({ reports }) => reports),
      [3],
    )
  })

  fact('a list continues after each page until there are no more reports', async (recent) => {
    const seqs = Array.from({ length: 30 }, (_, n) => n + 1)
    for (const seq of seqs) await recent.append('a', [anEntry(seq)], bound)
    const pages = await readPages(recent, { sinceMs: 0, limit: 7 })
    assert.deepEqual(
      pages.map(({ length }) => length),
      [7, 7, 7, 7, 2],
    )
    assert.deepEqual(pages.flat(), seqs.toReversed())
  })

  fact('a page ends with the report that reaches its size', async (recent) => {
    const large = (seq: number) => anEntry(seq, { report: JSON.stringify('x'.repeat(600_000)) })
    for (let seq = 1; seq <= 5; seq++) await recent.append('a', [large(seq)], bound)
    assert.deepEqual(await readPages(recent, bound), [[5, 4], [3, 2], [1]])
  })

  fact('reports are read by their seqs, and those that are gone are undefined', async (recent) => {
    const entries = [1, 2, 3].map((seq) => anEntry(seq, { report: `{"n":${seq}}` }))
    await recent.append('a', [...entries, anEntry(9, { receivedAtMs: minute - 5, report: '{"n":9}' })], bound)
    const at = (seq: number, receivedAtMs = anEntry(seq).receivedAtMs) => ({ seq, receivedAtMs })
    assert.deepEqual(await recent.read('a', [at(3), at(7), at(1), at(9, minute - 5)]), [
      '{"n":3}',
      undefined,
      '{"n":1}',
      '{"n":9}',
    ])
    assert.deepEqual(await recent.read('b', [at(1)]), [undefined])
  })

  fact('reports that left the window are not listed', async (recent) => {
    const entries = [1, 2, 3].map((seq) => anEntry(seq, { receivedAtMs: minute + seq }))
    await recent.append('a', entries, bound)
    assert.deepEqual(await readPages(recent, { sinceMs: minute + 2, limit: 1 }), [[3], [2]])
  })

  fact('only the newest reports within the number are kept', async (recent) => {
    for (let seq = 1; seq <= 300; seq++) await recent.append('a', [anEntry(seq)], { ...bound, limit: 10 })
    const kept = (await readPages(recent, bound)).flat()
    assert.equal(kept[0], 300)
    assert.ok(kept.length >= 10 && kept.length <= 10 + 64, `${kept.length} are kept`)
  })

  fact('only the newest reports within the size are kept, in bytes of UTF-8', async (recent) => {
    const report = JSON.stringify('ü'.repeat(5_000))
    const maxBytes = 10 * Buffer.byteLength(report)
    for (let seq = 1; seq <= 100; seq++) await recent.append('a', [anEntry(seq, { report })], { ...bound, maxBytes })
    const kept = (await readPages(recent, bound)).flat()
    assert.equal(kept[0], 100)
    assert.ok(kept.length >= 10 && kept.length <= 12, `${kept.length} are kept`)
  })

  fact(
    'a window whose reports were deleted because of the bound is truncated, until it starts after them',
    async (recent) => {
      const small = { ...bound, maxBytes: 10 * Buffer.byteLength(anEntry(100).report) }
      for (let seq = 100; seq < 200; seq++) await recent.append('a', [anEntry(seq)], small)
      await recent.append('b', [anEntry(200)], small)
      const kept = (await readPages(recent, bound)).flat()
      const oldestAtMs = minute + (kept.at(-1) ?? 0)

      assert.equal((await recent.list('a', bound)).truncated, true)
      assert.equal((await recent.list('a', { sinceMs: oldestAtMs - 1, limit: 10 })).truncated, true)
      assert.equal((await recent.list('a', { sinceMs: oldestAtMs, limit: 10 })).truncated, false)
      assert.equal((await recent.list('b', bound)).truncated, false)
    },
  )

  fact(
    'a device loses its oldest reports when the devices of its client have too many bytes together',
    async (recent) => {
      const report = JSON.stringify('x'.repeat(98))
      const append = (device: string, seq: number) =>
        recent.append(device, [anEntry(seq, { report })], { ...bound, maxBytesOfClient: 400 })
      const [one, two, other] = ['urn:aa:device:acme:1', 'urn:aa:device:acme:2', 'urn:aa:device:rival:1']
      for (const seq of [1, 2]) await append(one, seq)
      for (const seq of [3, 4, 5, 6, 7, 8]) await append(two, seq)
      for (const seq of [9, 10]) await append(other, seq)

      assert.deepEqual((await readPages(recent, bound, one)).flat(), [2, 1])
      const ofTwo = (await readPages(recent, bound, two)).flat()
      assert.equal(ofTwo[0], 8)
      assert.ok(ofTwo.length <= 3, `${ofTwo.length} are kept`)
      assert.equal((await recent.list(two, bound)).truncated, true)
      assert.deepEqual((await readPages(recent, bound, other)).flat(), [10, 9])
    },
  )

  fact('reports that are swept make room for other devices of the client', async (recent) => {
    const report = JSON.stringify('x'.repeat(98))
    const of = { ...bound, maxBytesOfClient: 300 }
    const [one, two] = ['urn:aa:device:acme:1', 'urn:aa:device:acme:2']
    await recent.append(
      one,
      [1, 2, 3].map((seq) => anEntry(seq, { report })),
      of,
    )
    await recent.sweep(minute + 300_000)
    const later = (seq: number) => anEntry(seq, { report, receivedAtMs: minute + 300_000 + seq })
    for (const seq of [4, 5, 6]) await recent.append(two, [later(seq)], of)
    assert.deepEqual((await readPages(recent, bound, two)).flat(), [6, 5, 4])
  })

  fact('metrics count reports and positions per minute, oldest first, per device', async (recent) => {
    const next = minute + 60_000
    await recent.append('a', [anEntry(1), anEntry(2, { positions: 5 }), anEntry(3, { receivedAtMs: next })], bound)
    const metrics = await recent.metrics(['a', 'silent'], minute)
    assert.deepEqual(metrics.get('a')?.minutes, [
      { windowStart: '2026-01-07T06:32:00.000Z', reports: 2, positions: 7 },
      { windowStart: '2026-01-07T06:33:00.000Z', reports: 1, positions: 2 },
    ])
    assert.deepEqual(metrics.get('silent'), { minutes: [], lastReceivedAtMs: undefined })
  })

  fact('metrics have the time at which the newest report of the window was received', async (recent) => {
    await recent.append('a', [anEntry(1), anEntry(2)], bound)
    const lastOf = async (sinceMs: number) => (await recent.metrics(['a'], sinceMs)).get('a')?.lastReceivedAtMs
    assert.deepEqual([await lastOf(minute), await lastOf(minute + 3)], [minute + 2, undefined])
  })

  fact('a sweep deletes all reports that left the window, however large they are', async (recent) => {
    const report = JSON.stringify('x'.repeat(600_000))
    const seqs = Array.from({ length: 20 }, (_, n) => n + 1)
    await recent.append(
      'a',
      seqs.map((seq) => anEntry(seq, { report })),
      bound,
    )
    await recent.sweep(minute + 120_000)
    assert.deepEqual(await recent.list('a', bound), { entries: [], truncated: false })
  })

  fact('a sweep deletes the reports of devices that no longer report', async (recent) => {
    await recent.append('a', [anEntry(1)], bound)
    await recent.sweep(minute + 120_000)
    assert.deepEqual(await recent.list('a', bound), { entries: [], truncated: false })
    assert.deepEqual((await recent.metrics(['a'], 0)).get('a')?.minutes, [])
  })
}

/** Returns the seqs of each page. */
async function readPages(
  recent: RecentReports,
  options: { sinceMs: number; limit: number },
  device = 'a',
): Promise<number[][]> {
  const pages: number[][] = []
  for (let after: string | undefined; ; ) {
    const { entries, next } = await recent.list(device, { ...options, after })
    pages.push(entries.map(({ seq }) => seq))
    if (next === undefined) return pages
    after = next
  }
}

function anEntry(seq: number, overrides: Partial<RecentEntry> = {}): RecentEntry {
  return { seq, receivedAtMs: minute + seq, report: `{"positions":[${seq}]}`, positions: 2, tags: [], ...overrides }
}
