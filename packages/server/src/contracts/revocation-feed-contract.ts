/** The contract of every `RevocationFeed`: tests that each run on a new feed. */
import assert from 'node:assert/strict'
import type { Revocation, RevocationFeed } from '../ports/storage/revocation-feed.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

const ttlMs = 60_000

export function revocationFeedContract(
  test: RegisterTest,
  create: (options: { clock: ManualClock }) => Promise<Subject<RevocationFeed>>,
): void {
  const fact = createFact(test, create, () => ({ clock: createManualClock() }))

  fact('an announced revocation is found by its subject, and by no other', async (feed) => {
    await feed.announce(aRevocation({ subject: 'user:ü:🛰' }), ttlMs)
    assert.deepEqual(await feed.find(['user:ü:🛰', 'user:other', 'user:ü']), [aRevocation({ subject: 'user:ü:🛰' })])
    assert.deepEqual(await feed.find([]), [])
  })

  fact('revocations of several subjects are found by one call', async (feed) => {
    await feed.announce(aRevocation({ subject: 'a', atMs: 1 }), ttlMs)
    await feed.announce(aRevocation({ subject: 'b', atMs: 2 }), ttlMs)
    assert.deepEqual(bySubject(await feed.find(['b', 'none', 'a'])), { a: 1, b: 2 })
  })

  fact('a subject has its latest time, even if an earlier time is announced later', async (feed) => {
    await feed.announce(aRevocation({ atMs: 2_000 }), ttlMs)
    await feed.announce(aRevocation({ atMs: 3_000 }), ttlMs)
    await feed.announce(aRevocation({ atMs: 1_000 }), ttlMs)
    assert.deepEqual(await feed.find([aRevocation().subject]), [aRevocation({ atMs: 3_000 })])
  })

  fact('a feed without revocations is empty, however often it is read', async (feed) => {
    const first = await feed.read('')
    assert.deepEqual(first.revocations, [])
    assert.deepEqual((await feed.read(first.cursor)).revocations, [])
  })

  fact('all unexpired revocations are read from the beginning, in the order of their announcement', async (feed) => {
    for (const subject of ['c', 'a', 'b']) await feed.announce(aRevocation({ subject }), ttlMs)
    const { revocations, cursor } = await feed.read('')
    assert.deepEqual(
      revocations.map(({ subject }) => subject),
      ['c', 'a', 'b'],
    )
    assert.deepEqual((await feed.read(cursor)).revocations, [])
  })

  fact('a revocation that is announced after a cursor is read once from that cursor', async (feed) => {
    await feed.announce(aRevocation({ subject: 'a' }), ttlMs)
    const { cursor } = await feed.read('')
    await feed.announce(aRevocation({ subject: 'b' }), ttlMs)
    const second = await feed.read(cursor)
    assert.deepEqual(second.revocations, [aRevocation({ subject: 'b' })])
    assert.deepEqual((await feed.read(second.cursor)).revocations, [])
  })

  fact('a subject that is announced again is read again', async (feed) => {
    await feed.announce(aRevocation({ atMs: 1_000 }), ttlMs)
    const { cursor } = await feed.read('')
    await feed.announce(aRevocation({ atMs: 2_000 }), ttlMs)
    assert.deepEqual((await feed.read(cursor)).revocations, [aRevocation({ atMs: 2_000 })])
  })

  fact('a revocation expires at the end of its time to live', async (feed, { clock }) => {
    await feed.announce(aRevocation({ subject: 'short' }), 1_000)
    await feed.announce(aRevocation({ subject: 'long' }), 2_000)
    await clock.advance(999)
    assert.equal((await feed.find(['short'])).length, 1)
    await clock.advance(1)
    assert.deepEqual(await feed.find(['short', 'long']), [aRevocation({ subject: 'long' })])
    assert.deepEqual((await feed.read('')).revocations, [aRevocation({ subject: 'long' })])
    await clock.advance(1_000)
    assert.deepEqual((await feed.read('')).revocations, [])
  })

  fact('a cursor stays valid after the revocations before it have expired', async (feed, { clock }) => {
    await feed.announce(aRevocation({ subject: 'old' }), 1_000)
    const { cursor } = await feed.read('')
    await clock.advance(1_000)
    await feed.announce(aRevocation({ subject: 'new' }), ttlMs)
    assert.deepEqual((await feed.read(cursor)).revocations, [aRevocation({ subject: 'new' })])
  })

  fact('a shorter time to live does not shorten that of an earlier revocation', async (feed, { clock }) => {
    await feed.announce(aRevocation({ atMs: 1_000 }), 2_000)
    await feed.announce(aRevocation({ atMs: 2_000 }), 1_000)
    await clock.advance(1_500)
    assert.equal((await feed.find([aRevocation().subject])).length, 1)
  })

  fact('a time to live that is not positive is refused', async (feed) => {
    for (const wrong of [0, -1, Number.NaN]) await assert.rejects(feed.announce(aRevocation(), wrong), RangeError)
    assert.deepEqual((await feed.read('')).revocations, [])
  })

  fact('3,000 revocations are read page by page, each once', async (feed) => {
    const subjects = Array.from({ length: 3_000 }, (_, n) => `family:${n}`)
    await Promise.all(subjects.map((subject) => feed.announce(aRevocation({ subject }), ttlMs)))
    const read: string[] = []
    for (let cursor = '', hasMore = true; hasMore; ) {
      const page = await feed.read(cursor)
      read.push(...page.revocations.map(({ subject }) => subject))
      cursor = page.cursor
      hasMore = page.hasMore
    }
    assert.deepEqual(read.sort(), subjects.sort())
  })

  fact('a reader misses none of 500 revocations that are announced while it reads', async (feed) => {
    const seen = new Set<string>()
    let cursor = ''
    let isDone = false
    async function readOn(): Promise<void> {
      const read = await feed.read(cursor)
      cursor = read.cursor
      for (const { subject } of read.revocations) seen.add(subject)
    }
    const following = (async () => {
      while (!isDone) await readOn()
    })()
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => feed.announce(aRevocation({ subject: `family:${n}` }), ttlMs)),
    )
    isDone = true
    await following
    await readOn()
    assert.equal(seen.size, 500)
  })
}

function aRevocation(overrides: Partial<Revocation> = {}): Revocation {
  return { subject: 'user:pilot', atMs: 1_767_766_965_123, ...overrides }
}

function bySubject(revocations: Revocation[]): Record<string, number> {
  return Object.fromEntries(revocations.map(({ subject, atMs }) => [subject, atMs]))
}
