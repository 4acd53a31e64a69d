/** Signing keys: the deployment has one set, and rotation affects no token and no receiver. */
import { createPublicKey, sign, verify } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { dropKey } from '../../../src/identity/keys/drop-key.ts'
import { loadKeys, rotateKeys } from '../../../src/identity/keys/keys.ts'
import { anIdentity, type TestProcess } from '../an-identity.ts'
import { deviceTokens, refreshOf, stateOf } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The `Cache-Control` lifetime of the key set. */
const cacheMs = 300_000

async function publishedKids({ operations }: Pick<TestProcess, 'operations'>): Promise<string[]> {
  const { body } = (await operations.getJwks({} as never)) as { body: { keys: { kid: string; alg: string }[] } }
  return body.keys.filter(({ alg }) => alg === 'ES256').map(({ kid }) => kid)
}

/** Waits until the process has read the expected key; returns the keys. */
async function published(process: TestProcess, kid: string): Promise<string[]> {
  for (let turns = 0; turns < 10_000; turns++) {
    const kids = await publishedKids(process)
    if (kids.includes(kid)) return kids.sort()
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('The key is not published')
}

/** Waits for a read that is due, because a real storage takes time to answer. */
async function whenUnpublished(process: TestProcess, kid: string): Promise<void> {
  for (let turns = 0; turns < 10_000; turns++) {
    if (!(await publishedKids(process)).includes(kid)) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('The key is still published')
}

async function aRotation(open: (typeof storages)[number]['open']) {
  const identity = await anIdentity({ open })
  const other = await identity.another()
  const { clock, directory } = identity
  const [before = ''] = await publishedKids(identity)
  const rotated = await rotateKeys({ directory, clock })
  const after = rotated.find(({ use }) => use === 'access-token')?.kid ?? ''
  const kidOf = ({ accessToken }: { accessToken: string }) => decodeProtectedHeader(accessToken).kid
  return { identity, other, clock, directory, before, after, rotated, kidOf }
}

describe.each(storages)('on $name', ({ open }) => {
  test('a new key is published long before it signs, and starts to sign at the same time in every process', async () => {
    const { identity, other, clock, before, after, kidOf } = await aRotation(open)
    const stops = [identity.follow(), other.follow()]
    await clock.advance(minuteMs)
    for (const process of [identity, other]) expect(await published(process, after)).toEqual([before, after].sort())

    // Every process has read it within a minute, and receivers cache the key set for 5.
    await clock.advance(minuteMs + cacheMs)
    expect([kidOf(await deviceTokens(identity)), kidOf(await deviceTokens(other))]).toEqual([before, before])
    await clock.advance(10 * minuteMs - minuteMs - cacheMs)
    expect([kidOf(await deviceTokens(identity)), kidOf(await deviceTokens(other))]).toEqual([after, after])
    await Promise.all(stops.map((stop) => stop()))
  })

  test('tokens of the old key are valid until they expire, and its public key is published until then', async () => {
    const { identity, clock, directory, before, kidOf } = await aRotation(open)
    await clock.advance(10 * minuteMs - 1)
    const last = await deviceTokens(identity)
    expect(kidOf(last)).toBe(before)

    // JWT times are whole seconds, so the fraction is lost.
    await clock.advance(24 * hourMs - 1_000)
    const started = await identity.another()
    expect(await stateOf(identity, last)).toBe('valid')
    expect(await stateOf(started, last)).toBe('valid')
    expect(await publishedKids(started)).toContain(before)

    await clock.advance(hourMs + 1_001)
    expect(await publishedKids(started)).not.toContain(before)
    expect(await directory.find('signingKey', before)).toBeDefined()
    await rotateKeys({ directory, clock })
    expect(await directory.find('signingKey', before)).toBeUndefined()
  })

  test('a process that has not read the new key yet accepts its tokens', async () => {
    const { identity, other, clock, after, kidOf } = await aRotation(open)
    await clock.advance(10 * minuteMs)
    const rotated = await identity.another()
    const tokens = await deviceTokens(rotated)

    expect(kidOf(tokens)).toBe(after)
    expect(await stateOf(other, tokens)).toBe('valid')
  })

  test('relay messages are signed with the new key once it is due, and the old one stays published', async () => {
    const { identity, clock, rotated } = await aRotation(open)
    const former = identity.getRelayMessageKey().kid
    await clock.advance(10 * minuteMs)
    const started = await identity.another()
    const message = Buffer.from('id.time.body')

    const { kid, key: signing } = started.getRelayMessageKey()
    const signature = sign(null, message, signing)

    expect(kid).toBe(rotated.find(({ use }) => use === 'relay-message')?.kid)
    const { body } = (await started.operations.getJwks({} as never)) as { body: { keys: { kid: string }[] } }
    const jwk = body.keys.find((key) => key.kid === kid)
    expect(verify(null, message, createPublicKey({ key: { ...jwk }, format: 'jwk' }), signature)).toBe(true)
    expect(body.keys.map((key) => key.kid)).toContain(former)
  })

  test('a rotation during another one changes nothing, and two concurrent rotations create one key', async () => {
    const { clock, directory, rotated } = await aRotation(open)

    await clock.advance(5 * minuteMs)
    const again = await Promise.all([rotateKeys({ directory, clock }), rotateKeys({ directory, clock })])

    for (const keys of again) expect(keys).toEqual(rotated.map((key) => ({ ...key, isNew: false })))
    await clock.advance(5 * minuteMs)
    const next = await Promise.all([rotateKeys({ directory, clock }), rotateKeys({ directory, clock })])
    expect(new Set(next.flat().map(({ kid }) => kid)).size).toBe(2)
    expect(next.flat().filter(({ isNew }) => isNew)).toHaveLength(2)
  })

  test('processes that create the first keys concurrently agree on them', async () => {
    const clock = createManualClock()
    const { directory } = await open({ clock })

    const processes = await Promise.all(Array.from({ length: 5 }, () => loadKeys({ directory, clock })))

    expect(new Set(processes.map(({ accessToken }) => accessToken.kid)).size).toBe(1)
    expect(new Set(processes.map(({ relayMessage }) => relayMessage.kid)).size).toBe(1)
    expect(await directory.list('signingKey')).toHaveLength(2)
  })

  test('tokens signed with a dropped key are refused in every process within a second, and another key signs', async () => {
    const identity = await anIdentity({ open })
    const other = await identity.another()
    const { clock, directory } = identity
    const stops = [identity.follow(), other.follow()]
    const [leaked = ''] = await publishedKids(identity)
    const tokens = await deviceTokens(identity)
    for (const process of [identity, other]) expect(await stateOf(process, tokens)).toBe('valid')

    const dropped = await dropKey(leaked, { directory, clock })
    await clock.advance(999)
    for (const process of [identity, other]) {
      await whenUnpublished(process, leaked)
      expect(await stateOf(process, tokens)).toBe('invalid_token')
      expect(await publishedKids(process)).toEqual([dropped?.signingKid])
    }
    const refreshed = await refreshOf(other, tokens)
    expect(refreshed.status).toBe(200)
    const next = { audience: 'device', accessToken: refreshed.body.access_token ?? '' } as const
    expect(decodeProtectedHeader(next.accessToken).kid).toBe(dropped?.signingKid)
    for (const process of [identity, other]) expect(await stateOf(process, next)).toBe('valid')
    await Promise.all(stops.map((stop) => stop()))
  })

  test('the pending key replaces a dropped one at once', async () => {
    const { clock, directory, before, after } = await aRotation(open)

    expect(await dropKey(before, { directory, clock })).toEqual({ use: 'access-token', signingKid: after })
    expect((await loadKeys({ directory, clock })).accessToken.kid).toBe(after)
  })

  test('dropping a key that does not sign keeps the signing key', async () => {
    const { clock, directory, before, after } = await aRotation(open)

    expect(await dropKey(after, { directory, clock })).toEqual({ use: 'access-token', signingKid: before })
    expect(await directory.find('signingKey', after)).toBeUndefined()
    expect(await dropKey(after, { directory, clock })).toBeUndefined()
  })

  test('keys rotated before the first start of a server sign at once', async () => {
    const clock = createManualClock()
    const { directory } = await open({ clock })

    const rotated = await rotateKeys({ directory, clock })
    const keys = await loadKeys({ directory, clock })

    expect([keys.accessToken.kid, keys.relayMessage.kid].sort()).toEqual(rotated.map(({ kid }) => kid).sort())
  })
})
