/** What every `RevocationFeed` does, as tests over a fresh one each. */
import assert from 'node:assert/strict'
import type { RevocationFeed, RevocationMark } from '../ports/revocation-feed.ts'
import { over, type RegisterTest, type Subject } from './contract.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

const ttlMs = 60_000

export function revocationFeedContract(
  test: RegisterTest,
  create: (options: { clock: ManualClock }) => Promise<Subject<RevocationFeed>>,
): void {
  const fact = over(test, create, () => ({ clock: createManualClock() }))

  fact('an announced mark is found by its subject, and by no other', async (feed) => {
    await feed.announce(aMark({ subject: 'user:ü:🛰' }), ttlMs)
    assert.deepEqual(await feed.find(['user:ü:🛰', 'user:other', 'user:ü']), [aMark({ subject: 'user:ü:🛰' })])
    assert.deepEqual(await feed.find([]), [])
  })

  fact('marks of several subjects are found at once', async (feed) => {
    await feed.announce(aMark({ subject: 'a', atMs: 1 }), ttlMs)
    await feed.announce(aMark({ subject: 'b', atMs: 2 }), ttlMs)
    assert.deepEqual(bySubject(await feed.find(['b', 'none', 'a'])), { a: 1, b: 2 })
  })

  fact('a subject keeps its latest time, whichever was announced last', async (feed) => {
    await feed.announce(aMark({ atMs: 2_000 }), ttlMs)
    await feed.announce(aMark({ atMs: 3_000 }), ttlMs)
    await feed.announce(aMark({ atMs: 1_000 }), ttlMs)
    assert.deepEqual(await feed.find([aMark().subject]), [aMark({ atMs: 3_000 })])
  })

  fact('a feed where nothing was announced reads as empty, again and again', async (feed) => {
    const first = await feed.read('')
    assert.deepEqual(first.marks, [])
    assert.deepEqual((await feed.read(first.cursor)).marks, [])
  })

  fact('from the beginning all live marks are read, in the order of their announcing', async (feed) => {
    for (const subject of ['c', 'a', 'b']) await feed.announce(aMark({ subject }), ttlMs)
    const { marks, cursor } = await feed.read('')
    assert.deepEqual(
      marks.map(({ subject }) => subject),
      ['c', 'a', 'b'],
    )
    assert.deepEqual((await feed.read(cursor)).marks, [])
  })

  fact('what is announced behind a cursor is read from it, once', async (feed) => {
    await feed.announce(aMark({ subject: 'a' }), ttlMs)
    const { cursor } = await feed.read('')
    await feed.announce(aMark({ subject: 'b' }), ttlMs)
    const second = await feed.read(cursor)
    assert.deepEqual(second.marks, [aMark({ subject: 'b' })])
    assert.deepEqual((await feed.read(second.cursor)).marks, [])
  })

  fact('a subject that is announced again is read again', async (feed) => {
    await feed.announce(aMark({ atMs: 1_000 }), ttlMs)
    const { cursor } = await feed.read('')
    await feed.announce(aMark({ atMs: 2_000 }), ttlMs)
    assert.deepEqual((await feed.read(cursor)).marks, [aMark({ atMs: 2_000 })])
  })

  fact('a mark is gone when its time to live has ended', async (feed, { clock }) => {
    await feed.announce(aMark({ subject: 'short' }), 1_000)
    await feed.announce(aMark({ subject: 'long' }), 2_000)
    await clock.advance(999)
    assert.equal((await feed.find(['short'])).length, 1)
    await clock.advance(1)
    assert.deepEqual(await feed.find(['short', 'long']), [aMark({ subject: 'long' })])
    assert.deepEqual((await feed.read('')).marks, [aMark({ subject: 'long' })])
    await clock.advance(1_000)
    assert.deepEqual((await feed.read('')).marks, [])
  })

  fact('a cursor outlives the marks that it was given behind', async (feed, { clock }) => {
    await feed.announce(aMark({ subject: 'old' }), 1_000)
    const { cursor } = await feed.read('')
    await clock.advance(1_000)
    await feed.announce(aMark({ subject: 'new' }), ttlMs)
    assert.deepEqual((await feed.read(cursor)).marks, [aMark({ subject: 'new' })])
  })

  fact('a shorter time to live does not shorten that of an earlier mark', async (feed, { clock }) => {
    await feed.announce(aMark({ atMs: 1_000 }), 2_000)
    await feed.announce(aMark({ atMs: 2_000 }), 1_000)
    await clock.advance(1_500)
    assert.equal((await feed.find([aMark().subject])).length, 1)
  })

  fact('a time to live that is not positive is refused', async (feed) => {
    for (const wrong of [0, -1, Number.NaN]) await assert.rejects(feed.announce(aMark(), wrong), RangeError)
    assert.deepEqual((await feed.read('')).marks, [])
  })

  fact('3,000 marks are read at once', async (feed) => {
    const subjects = Array.from({ length: 3_000 }, (_, n) => `family:${n}`)
    await Promise.all(subjects.map((subject) => feed.announce(aMark({ subject }), ttlMs)))
    const { marks } = await feed.read('')
    assert.deepEqual(marks.map(({ subject }) => subject).sort(), subjects.sort())
  })

  fact('a follower misses none of 500 marks that are announced while it reads', async (feed) => {
    const seen = new Set<string>()
    let cursor = ''
    let isDone = false
    async function readOn(): Promise<void> {
      const read = await feed.read(cursor)
      cursor = read.cursor
      for (const { subject } of read.marks) seen.add(subject)
    }
    const following = (async () => {
      while (!isDone) await readOn()
    })()
    await Promise.all(Array.from({ length: 500 }, (_, n) => feed.announce(aMark({ subject: `family:${n}` }), ttlMs)))
    isDone = true
    await following
    await readOn()
    assert.equal(seen.size, 500)
  })
}

function aMark(overrides: Partial<RevocationMark> = {}): RevocationMark {
  return { subject: 'user:pilot', atMs: 1_767_766_965_123, ...overrides }
}

function bySubject(marks: RevocationMark[]): Record<string, number> {
  return Object.fromEntries(marks.map(({ subject, atMs }) => [subject, atMs]))
}
