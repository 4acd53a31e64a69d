/** Tests how a process reads the revocations of others, and what it does when it cannot. */
import { expect, test } from 'vitest'
import { createMemoryRevocationFeed } from '../../../src/adapters/memory/revocation-feed.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { ApiError } from '../../../src/errors.ts'
import type { RevocationSubject } from '../../../src/identity/revocation/revocation-subject.ts'
import { createRevocations, type Issued } from '../../../src/identity/revocation/revocations.ts'
import type { RevocationFeed } from '../../../src/ports/storage/revocation-feed.ts'
import { anIdentity } from '../an-identity.ts'
import { deviceTokens, refreshOf, stateOf } from '../issued-tokens.ts'

const hourMs = 60 * 60_000

/** A feed that the test can disconnect. */
function aFeed(feed: RevocationFeed) {
  const cut = { isCut: false, reads: 0, finds: 0 }
  function reach(): void {
    if (cut.isCut) throw new ApiError('unavailable', 'The store at redis://secret does not answer')
  }
  const port: RevocationFeed = {
    async announce(revocation, ttlMs) {
      reach()
      return feed.announce(revocation, ttlMs)
    },
    async find(subjects) {
      cut.finds++
      reach()
      return feed.find(subjects)
    },
    async read(cursor) {
      cut.reads++
      reach()
      return feed.read(cursor)
    },
  }
  return { port, cut }
}

/** Issues something that a revocation can void. */
function anIssue(meanwhile: () => Promise<unknown> = async () => {}) {
  const subjects = ['user:pilot' as const]
  const discarded: Issued[] = []
  return {
    discarded,
    async read() {
      await meanwhile()
      return { subjects }
    },
    write: async (_allowed?: unknown, issuedAfterMs = 0): Promise<Issued> => ({ subjects, issuedAfterMs }),
    discard: async (issued: Issued) => void discarded.push(issued),
  }
}

async function twoProcesses() {
  const clock = createManualClock()
  const shared = createMemoryRevocationFeed({ clock })
  const { port, cut } = aFeed(shared)
  const errors: unknown[] = []
  const here = createRevocations({ feed: port, clock, onError: (error) => errors.push(error) })
  const elsewhere = createRevocations({ feed: shared, clock })
  await here.read()
  await elsewhere.read()
  const issued = { subjects: ['user:pilot' as const], issuedAfterMs: await here.issuedAfter(['user:pilot']) }
  cut.finds = 0
  return { clock, here, elsewhere, cut, errors, issued }
}

test('a process that follows the feed knows a revocation within a quarter of a second, and does not ask the feed per token', async () => {
  const { clock, here, elsewhere, cut, issued } = await twoProcesses()
  const stop = here.follow()
  await clock.advance(10_000)

  await elsewhere.revoke('user:pilot')
  await clock.advance(250)

  expect(await here.isRevoked(issued)).toBe(true)
  expect(await here.isRevoked({ ...issued, subjects: ['user:other'] })).toBe(false)
  expect(cut.finds).toBe(0)
  await stop()
})

test('a disconnected process answers from memory for less than a second, then not at all', async () => {
  const { clock, here, elsewhere, cut, errors, issued } = await twoProcesses()
  const stop = here.follow()
  await clock.advance(200)

  cut.isCut = true
  await elsewhere.revoke('user:pilot')
  await clock.advance(999)
  expect(await here.isRevoked(issued)).toBe(false)
  await clock.advance(1)
  await expect(here.isRevoked(issued)).rejects.toMatchObject({ code: 'unavailable' })

  await clock.advance(60_000)
  expect(errors).toHaveLength(1)
  cut.isCut = false
  expect(await here.isRevoked(issued)).toBe(true)
  await stop()
})

test('a disconnected process still refuses tokens that it knows to be revoked', async () => {
  const { clock, here, cut, issued } = await twoProcesses()
  await here.revoke('user:pilot')

  cut.isCut = true
  await clock.advance(60_000)

  expect(await here.isRevoked(issued)).toBe(true)
})

test('a process whose last read is a second old asks the feed for each token', async () => {
  const { clock, here, elsewhere, cut, issued } = await twoProcesses()
  await clock.advance(1_000)

  expect(await here.isRevoked(issued)).toBe(false)
  await elsewhere.revoke('user:pilot')
  expect(await here.isRevoked(issued)).toBe(true)
  expect(cut.finds).toBe(2)
})

/** Every query takes a second. */
function aSlowFeed() {
  const clock = createManualClock()
  const feed = createMemoryRevocationFeed({ clock })
  const slow: RevocationFeed = {
    ...feed,
    async find(subjects) {
      await clock.sleep(1_000)
      return feed.find(subjects)
    },
  }
  const revocations = createRevocations({ feed: slow, clock })
  return { clock, elsewhere: createRevocations({ feed, clock }), revocations }
}

test('the answer that nothing is revoked is not accepted if it took a second', async () => {
  const { clock, revocations } = aSlowFeed()

  const asked = revocations.isRevoked({ subjects: ['user:pilot'], issuedAfterMs: 0 })
  const refused = expect(asked).rejects.toMatchObject({ code: 'unavailable' })
  await clock.advance(1_000)

  await refused
})

test('the answer that something is revoked is accepted, however late', async () => {
  const { clock, elsewhere, revocations } = aSlowFeed()
  await elsewhere.revoke('user:pilot')

  const asked = revocations.isRevoked({ subjects: ['user:pilot'], issuedAfterMs: 0 })
  await clock.advance(1_000)

  expect(await asked).toBe(true)
})

test('an issue accepts a late answer, because a revocation in the meantime voids it', async () => {
  const { clock, elsewhere, revocations } = aSlowFeed()

  const issuing = revocations.issue(anIssue())
  await clock.advance(1_000)
  const issued = await issuing

  await elsewhere.revoke('user:pilot')
  await revocations.read()
  expect(await revocations.isRevoked(issued)).toBe(true)
})

test('a revocation that cannot be announced throws, and can be repeated', async () => {
  const { here, cut, issued } = await twoProcesses()
  cut.isCut = true
  await expect(here.revoke('user:pilot')).rejects.toMatchObject({ code: 'unavailable' })
  await expect(here.revoke('family:a')).rejects.toMatchObject({ code: 'unavailable' })

  cut.isCut = false
  await here.revoke('user:pilot')
  await here.revoke('family:a')

  expect(await here.isRevoked(issued)).toBe(true)
  expect(await here.isRevoked({ subjects: ['family:a'], issuedAfterMs: Number.MAX_SAFE_INTEGER })).toBe(true)
})

test('a revocation voids tokens issued earlier by a process whose clock is a minute ahead', async () => {
  const { clock, here, elsewhere, issued } = await twoProcesses()

  await here.revoke('user:pilot')

  const ahead = { ...issued, issuedAfterMs: clock.now() + 60_000 }
  expect(await here.writeUnlessRevoked(ahead, anIssue())).toBeUndefined()
  expect(await elsewhere.issue(anIssue())).toMatchObject({ subjects: issued.subjects })
})

test('an issue that is revoked after its read is discarded and repeated, and the second one is valid', async () => {
  const { here } = await twoProcesses()
  const revoking = [() => here.revoke('user:pilot')]
  const { discarded, ...issue } = anIssue(async () => revoking.pop()?.())

  const issued = await here.issue(issue)

  expect(discarded).toHaveLength(1)
  for (const former of discarded) expect(await here.isRevoked(former)).toBe(true)
  expect(await here.isRevoked(issued)).toBe(false)
})

test('an issue that is revoked three times in a row is refused', async () => {
  const { here } = await twoProcesses()
  const { discarded, ...issue } = anIssue(() => here.revoke('user:pilot'))

  await expect(here.issue(issue)).rejects.toMatchObject({ code: 'unavailable' })
  expect(discarded).toHaveLength(3)
})

test('many replays announce the end of their family once', async () => {
  const clock = createManualClock()
  const feed = createMemoryRevocationFeed({ clock })
  let announced = 0
  const counting: RevocationFeed = {
    ...feed,
    async announce(revocation, ttlMs) {
      announced++
      return feed.announce(revocation, ttlMs)
    },
  }
  const revocations = createRevocations({ feed: counting, clock })

  await Promise.all(Array.from({ length: 100 }, () => revocations.revoke('family:a')))
  await revocations.revoke('family:a')

  expect(announced).toBe(1)
})

test('after 256 revoked families and tokens of one holder in 25 hours, all that the holder has is revoked instead', async () => {
  const clock = createManualClock()
  const feed = createMemoryRevocationFeed({ clock })
  const revocations = createRevocations({ feed, clock })
  const revokeMany = async (count: number, holder: RevocationSubject) => {
    for (let n = 0; n < count; n++)
      await revocations.revoke(`${n % 2 === 0 ? 'family' : 'token'}:${holder}.${n}`, holder)
  }
  const holder = 'device:urn:a'
  const other = 'device:urn:b'
  const stored = async () => (await feed.read('')).revocations.length

  await revokeMany(256, holder)
  expect(await revocations.isRevoked({ subjects: [holder], issuedAfterMs: clock.now() })).toBe(false)
  await revokeMany(10_000, holder)
  await revokeMany(1, other)

  expect(await stored()).toBe(256 + 1 + 1)
  expect(await revocations.isRevoked({ subjects: [holder], issuedAfterMs: clock.now() })).toBe(true)
  expect(await revocations.isRevoked({ subjects: [other], issuedAfterMs: clock.now() })).toBe(false)
  const issued = await revocations.issue({ ...anIssue(), read: async () => ({ subjects: [holder] }) })
  expect(await revocations.isRevoked(issued)).toBe(false)
  await clock.advance(25 * hourMs)
  await revocations.revoke('family:next', holder)
  expect(await revocations.isRevoked({ subjects: ['family:next'], issuedAfterMs: clock.now() })).toBe(true)
})

test('beyond 250,000 revocations in memory, the feed is asked, and the oldest are still in force', async () => {
  const { clock, here, cut } = await twoProcesses()
  for (let n = 0; n <= 250_000; n++) await here.revoke(`family:${n}`)
  await here.read()
  const isRevoked = (subject: RevocationSubject) => here.isRevoked({ subjects: [subject], issuedAfterMs: clock.now() })

  expect(await isRevoked('family:250000')).toBe(true)
  expect(cut.finds).toBe(0)
  expect([await isRevoked('family:0'), await isRevoked('family:other')]).toEqual([true, false])
  expect(cut.finds).toBe(2)
  await clock.advance(25 * hourMs)
  await here.read()
  expect(await isRevoked('family:other')).toBe(false)
  expect(cut.finds).toBe(2)
})

test('revocations are removed from memory when the last access token that they void has expired', async () => {
  const { clock, here, cut, issued } = await twoProcesses()
  await here.revoke('user:pilot')

  await clock.advance(24 * hourMs)
  await here.read()
  expect(await here.isRevoked(issued)).toBe(true)
  await clock.advance(hourMs + 60_000)
  await here.read()

  expect(await here.isRevoked(issued)).toBe(false)
  expect(cut.finds).toBe(0)
  // Refresh families live longer; they ask the feed.
  expect(await here.writeUnlessRevoked(issued, anIssue())).toBeUndefined()
})

test('a token endpoint that cannot read the feed answers 503, and its tokens stay valid', async () => {
  const identity = await anIdentity()
  const { port, cut } = aFeed(identity.revocationFeed)
  const other = await identity.another({ revocationFeed: port })
  const tokens = await deviceTokens(other)

  cut.isCut = true
  await identity.clock.advance(1_000)
  const answer = await refreshOf(other, tokens)

  expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } })
  expect(JSON.stringify(answer.body)).not.toContain('redis')
  expect(await stateOf(other, tokens)).toBe('unavailable')
  cut.isCut = false
  expect(await stateOf(other, tokens)).toBe('valid')
  expect((await refreshOf(other, tokens)).status).toBe(200)
})

test('a process that cannot read the revocations does not start', async () => {
  const identity = await anIdentity()
  const { port, cut } = aFeed(identity.revocationFeed)
  cut.isCut = true

  await expect(identity.another({ revocationFeed: port })).rejects.toMatchObject({ code: 'unavailable' })
})
