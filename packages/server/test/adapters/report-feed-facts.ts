/** What every `ReportFeed` does: tests on storage in which another process accepts and stores reports. */
import { expect } from 'vitest'
import type { RegisterTest } from '../../src/contracts/contract.ts'
import type { Lease, ReportLog } from '../../src/ports/storage/log.ts'
import type { RecentReports } from '../../src/ports/storage/recent-reports.ts'
import type { OpenReportFeed, ReportFeed } from '../../src/ports/storage/report-feed.ts'

export interface FeedParts {
  /** As the process of the server has opened them. */
  log: ReportLog
  recent: RecentReports
  /** As a tool has opened it. */
  openFeed: OpenReportFeed
  close(): Promise<void>
}

const roof = 'urn:aa:device:fleet:roof1'
const mast = 'urn:aa:device:fleet:mast2'
const bound = { sinceMs: 0, limit: 100, maxBytes: 64 * 1024 * 1024, maxBytesOfClient: 64 * 1024 * 1024 }

export function reportFeedFacts(test: RegisterTest, open: () => Promise<FeedParts>): void {
  function fact(name: string, body: (parts: FeedParts & ReturnType<typeof steps>) => Promise<void>): void {
    test(name, async () => {
      const parts = await open()
      try {
        await body({ ...parts, ...steps(parts) })
      } finally {
        await parts.close()
      }
    })
  }

  fact('a feed has the reports that are stored after its start, each once', async ({ openFeed, pass }) => {
    await pass(roof, 'before')
    const feed = await openFeed()
    expect(await read(feed)).toEqual([])

    await pass(roof, 'first')
    await pass(mast, 'second')
    expect((await read(feed)).toSorted()).toEqual([`${roof} first`, `${mast} second`].toSorted())
    await pass(roof, 'third')
    expect(await read(feed)).toEqual([`${roof} third`])
    expect(await read(feed)).toEqual([])
  })

  fact('a feed of one device has no reports of another', async ({ openFeed, pass }) => {
    const feed = await openFeed(mast)
    await pass(roof, 'of the roof')
    await pass(mast, 'of the mast')
    expect(await read(feed)).toEqual([`${mast} of the mast`])
  })

  fact(
    'a report that was accepted first and stored last is not missed',
    async ({ openFeed, accept, store, settle }) => {
      const early = await accept(roof, 'early')
      const feed = await openFeed()
      const late = await accept(mast, 'late')
      await store(late)
      await settle(late)
      expect(await read(feed)).toEqual([`${mast} late`])

      await store(early)
      await settle(early)
      expect(await read(feed)).toEqual([`${roof} early`])
      expect(await read(feed)).toEqual([])
    },
  )

  fact(
    'a report that was stored before the start, and still waits to be relayed, is not in the feed',
    async (parts) => {
      const { openFeed, accept, store, settle, pass } = parts
      const leased = await accept(roof, 'before')
      await store(leased)
      const feed = await openFeed()
      await settle(leased)
      await pass(roof, 'after')
      expect(await read(feed)).toEqual([`${roof} after`])
    },
  )

  fact('large reports come in several pages, those of a device in order', async ({ openFeed, pass }) => {
    const feed = await openFeed()
    const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(700_000))
    for (const text of texts) await pass(roof, text)
    expect((await feed.next()).length).toBeLessThan(3)
    const rest = await read(feed)
    expect(rest.at(-1)).toBe(`${roof} ${texts[2]}`)
  })
}

function steps({ log, recent }: FeedParts) {
  async function accept(queue: string, body: string): Promise<Lease> {
    await log.append([{ queue, body }])
    const [lease] = await log.lease({ queues: 1, entries: 1, leaseMs: 10_000 })
    if (!lease) throw new Error('No lease')
    return lease
  }
  async function store({ queue, entries }: Lease): Promise<void> {
    const reports = entries.map(({ seq, body, appendedAtMs }) => ({
      seq,
      receivedAtMs: appendedAtMs,
      report: String(body),
    }))
    await recent.append(
      queue,
      reports.map((report) => ({ ...report, positions: 1, tags: [] })),
      bound,
    )
  }
  async function settle(lease: Lease): Promise<void> {
    await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq), buried: [] })
  }
  return {
    accept,
    store,
    settle,
    async pass(queue: string, body: string) {
      const lease = await accept(queue, body)
      await store(lease)
      await settle(lease)
    },
  }
}

/** All pages that there are. */
async function read(feed: ReportFeed): Promise<string[]> {
  const found: string[] = []
  for (let page = await feed.next(); page.length > 0; page = await feed.next())
    found.push(...page.map(({ deviceUrn, report }) => `${deviceUrn} ${report}`))
  return found
}
