import { expect, test } from 'vitest'
import { createMemoryRecentReports } from '../../src/adapters/memory/recent-reports.ts'
import { readWindow } from '../../src/devices/recent-window.ts'

const deviceUrn = 'urn:aa:device:fleet:roof1'
const everything = { sinceMs: 0, limit: 10_000, maxBytes: 64 * 1024 * 1024, maxBytesOfClient: 64 * 1024 * 1024 }

/** Reports with seqs from 1, each of 10 bytes. */
async function someReports(count: number) {
  const recentReports = createMemoryRecentReports()
  const entries = Array.from({ length: count }, (_, n) => aReport(n + 1))
  await recentReports.append(deviceUrn, entries, everything)
  return async (bounds: Partial<Parameters<typeof readWindow>[0]> = {}) => {
    const pages = readWindow({ recentReports, deviceUrn, window: everything, ...bounds })
    const seqs: number[] = []
    let page = await pages.next()
    for (; !page.done; page = await pages.next()) seqs.push(...page.value.map(({ seq }) => seq))
    return { seqs, ...page.value }
  }
}

function aReport(seq: number) {
  return { seq, receivedAtMs: 1, report: JSON.stringify(String(seq).padEnd(8)), positions: 1, tags: [] }
}

test('without a bound of the answer, the whole window is read', async () => {
  const read = await someReports(1_200)
  const { seqs, ...end } = await read()
  expect([seqs.length, seqs[0], seqs.at(-1), end]).toEqual([1_200, 1_200, 1, { truncated: false }])
})

test('the window ends at its number and at its size of reports, and nothing follows', async () => {
  const read = await someReports(20)
  const window = { ...everything, limit: 3 }
  expect(await read({ window })).toEqual({ seqs: [20, 19, 18], truncated: true })
  expect(await read({ window: { ...everything, maxBytes: 45 } })).toEqual({ seqs: [20, 19, 18, 17], truncated: true })
  expect(await read({ window: { ...everything, limit: 20, maxBytes: 200 } })).toMatchObject({ truncated: false })
})

test('answers with a bound continue where the earlier one ended, up to the end of the window', async () => {
  const read = await someReports(20)
  const window = { ...everything, maxBytes: 65 }
  const answer = { limit: 4, maxBytes: 1_000 }
  const first = await read({ window, answer })
  expect(first).toEqual({ seqs: [20, 19, 18, 17], truncated: true, next: '17.4.40' })

  expect(await read({ window, answer, after: first.next })).toEqual({ seqs: [16, 15], truncated: true })
})

test('an answer ends with the page that reaches its size', async () => {
  const read = await someReports(1_200)
  const { seqs, next } = await read({ answer: { limit: 10_000, maxBytes: 100 } })
  expect([seqs.length, next]).toEqual([500, '701.500.5000'])
})

test('a place beyond the window has no reports', async () => {
  const read = await someReports(5)
  expect(await read({ after: '3.10000.0' })).toEqual({ seqs: [], truncated: true })
  expect(await read({ after: '1.5.50' })).toEqual({ seqs: [], truncated: false })
})
