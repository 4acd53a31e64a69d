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
function anIssue({
  meanwhile = async () => {},
  subjects = ['user:pilot'],
}: {
  meanwhile?: () => Promise<unknown>
  subjects?: RevocationSubject[]
} = {}) {
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
  const { discarded, ...issue } = anIssue({ meanwhile: async () => revoking.pop()?.() })

  const issued = await here.issue(issue)

  expect(discarded).toHaveLength(1)
  for (const former of discarded) expect(await here.isRevoked(former)).toBe(true)
  expect(await here.isRevoked(issued)).toBe(false)
})

test('an issue that is revoked three times in a row is refused', async () => {
  const { here } = await twoProcesses()
  const { discarded, ...issue } = anIssue({ meanwhile: () => here.revoke('user:pilot') })

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

/** A device, and the subject that ends its tokens. */
function aDevice(deviceUrn: string) {
  const subject = { kind: 'device', deviceUrn } as const
  return { of: { clientId: 'fleet', subject }, holder: `device:${deviceUrn}` as const }
}

test('after 256 revoked families and tokens of one device in 25 hours, all of its tokens are revoked instead', async () => {
  const clock = createManualClock()
  const feed = createMemoryRevocationFeed({ clock })
  const causes: unknown[] = []
  const revocations = createRevocations({ feed, clock, onHolderRevoked: (cause) => causes.push(cause) })
  const [device, other] = [aDevice('urn:a'), aDevice('urn:b')]
  const isRevoked = (subject: RevocationSubject) =>
    revocations.isRevoked({ subjects: [subject], issuedAfterMs: clock.now() })
  const revokeMany = async (count: number, { of, holder }: ReturnType<typeof aDevice>) => {
    const issuedAfterMs = clock.now()
    for (let n = 0; n < count; n++) {
      const kind = n % 2 === 0 ? 'family' : 'token'
      await revocations.revoke(`${kind}:${holder}.${n}`, { ...of, issuedAfterMs })
    }
  }
  const stored = async () => (await feed.read('')).revocations.length

  await revokeMany(256, device)
  expect(await isRevoked(device.holder)).toBe(false)
  await revokeMany(10_000, device)
  await revokeMany(1, other)

  expect(await stored()).toBe(256 + 1 + 1)
  // What was issued before is void already: it is announced once.
  expect(causes).toEqual([{ kind: 'device', deviceUrn: 'urn:a' }])
  expect([await isRevoked(device.holder), await isRevoked(other.holder)]).toEqual([true, false])
  const issued = await revocations.issue(anIssue({ subjects: [device.holder] }))
  expect(await revocations.isRevoked(issued)).toBe(false)
  await revocations.revoke('family:next', { ...device.of, issuedAfterMs: issued.issuedAfterMs })
  expect(await revocations.isRevoked(issued)).toBe(true)
  await clock.advance(25 * hourMs)
  await revocations.revoke('family:later', { ...device.of, issuedAfterMs: clock.now() })
  expect(await isRevoked('family:later')).toBe(true)
})

test('a token that another process issued after such a revocation is revoked, also before that revocation was read here', async () => {
  const { clock, here, elsewhere } = await twoProcesses()
  const { of, holder } = aDevice('urn:a')
  const revoke = (process: typeof here, n: string, issuedAfterMs: number) =>
    process.revoke(`family:${n}`, { ...of, issuedAfterMs })
  for (let n = 0; n < 256; n++) {
    await revoke(here, `here${n}`, clock.now())
    await revoke(elsewhere, `elsewhere${n}`, clock.now())
  }
  // Many revocations of users bring the times of the other process ahead of the clock.
  for (let n = 0; n < 100; n++) await elsewhere.revoke(`user:${n}`)
  await revoke(elsewhere, 'last', clock.now())
  const issued = await elsewhere.issue(anIssue({ subjects: [holder] }))

  await revoke(here, 'newest', issued.issuedAfterMs)

  await elsewhere.read()
  expect([await here.isRevoked(issued), await elsewhere.isRevoked(issued)]).toEqual([true, true])
})

test('a flood of such revocations is refused before their times are more than a second ahead', async () => {
  const clock = createManualClock()
  const revocations = createRevocations({ feed: createMemoryRevocationFeed({ clock }), clock })
  const { of } = aDevice('urn:a')
  const revokeNext = (n: number) => revocations.revoke(`family:${n}`, { ...of, issuedAfterMs: Number.MAX_SAFE_INTEGER })
  for (let n = 0; n < 256 + 502; n++) await revokeNext(n)

  await expect(revokeNext(758)).rejects.toMatchObject({ code: 'unavailable' })
  await clock.advance(1_000)
  await revokeNext(759)
})

test('a revocation that the feed refused does not count', async () => {
  const { clock, here, cut } = await twoProcesses()
  const { of, holder } = aDevice('urn:a')
  cut.isCut = true
  for (let n = 0; n < 300; n++) {
    await expect(here.revoke(`family:${n}`, { ...of, issuedAfterMs: clock.now() })).rejects.toThrow()
  }
  cut.isCut = false
  await here.revoke('family:a', { ...of, issuedAfterMs: clock.now() })

  expect(await here.isRevoked({ subjects: [holder], issuedAfterMs: clock.now() })).toBe(false)
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
