import { createHmac, generateKeyPairSync, sign as signData } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, exportSPKI, type JWTPayload, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { createMemoryDirectory } from '../../../src/adapters/memory/directory.ts'
import { createMemoryRevocationFeed } from '../../../src/adapters/memory/revocation-feed.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { loadKeys } from '../../../src/identity/keys/keys.ts'
import { createRevocations } from '../../../src/identity/revocation/revocations.ts'
import { createAccessTokens } from '../../../src/identity/tokens/access-token.ts'
import { toJwsSignature } from '../../../src/identity/tokens/sign-jwt.ts'
import { anIdentity, deviceTokenRequest, origins } from '../an-identity.ts'

const device = { kind: 'device', deviceUrn: 'urn:aa:device:acme:roof1' } as const
const familyId = 'A'.repeat(22)
const user = { kind: 'user', userId: 'user-pilot', accountId: 'acme' } as const

async function someTokens(options: { origins?: typeof origins; cacheLimit?: number } = {}) {
  const clock = createManualClock()
  const directory = createMemoryDirectory()
  const keys = await loadKeys({ directory, clock })
  const revocations = createRevocations({ feed: createMemoryRevocationFeed({ clock }), clock })
  const tokens = createAccessTokens({ keys, revocations, clock, origins, ...options })
  const issue = (subject: typeof device | typeof user, scopes = ['surveillance_api']) =>
    tokens.issue({ subject, clientId: 'fleet', scopes, familyId, generation: 0, issuedAfterMs: clock.now() })
  const nowSeconds = () => Math.floor(clock.now() / 1000)
  const claims = (): JWTPayload => ({
    iss: origins.auth,
    aud: origins.ingest,
    sub: device.deviceUrn,
    client_id: 'fleet',
    scope: 'surveillance_api',
    iat: nowSeconds(),
    exp: nowSeconds() + 60,
    jti: `family.0.${clock.now().toString(36)}`,
  })
  const header = { alg: 'ES256', typ: 'at+jwt', kid: keys.accessToken.kid }
  const sign = (payload: JWTPayload, protectedHeader: Record<string, unknown> = {}) =>
    new SignJWT(payload).setProtectedHeader({ ...header, ...protectedHeader }).sign(keys.accessToken.key)
  return { clock, directory, keys, revocations, ...tokens, issue, claims, header, sign, nowSeconds }
}

const refused = { code: 'invalid_token' }

test('a device token names the device, its client and its scopes, and is valid for the ingest only', async () => {
  const { clock, issue, verify } = await someTokens()
  const { token } = await issue(device)

  expect(await verify(token, 'device')).toEqual({
    kind: 'device',
    deviceUrn: device.deviceUrn,
    clientId: 'fleet',
    scopes: ['surveillance_api'],
    tokenId: `${familyId}.0.${clock.now().toString(36)}`,
  })
  await expect(verify(token, 'user')).rejects.toMatchObject(refused)
})

test('user and device tokens are distinguished where all origins are the same', async () => {
  const one = 'https://localhost:8443'
  const { issue, verify } = await someTokens({ origins: { auth: one, ingest: one, ui: one } })

  await expect(verify((await issue(user)).token, 'device')).rejects.toMatchObject(refused)
  await expect(verify((await issue(device)).token, 'user')).rejects.toMatchObject(refused)
})

test('a device token of a sensor with a 255-character ID is shorter than 996 bytes', async () => {
  const identity = await anIdentity({
    origins: {
      auth: 'https://auth.posrep.example.com',
      ingest: 'https://ingest.posrep.example.com',
      ui: 'https://posrep.example.com',
    },
  })
  const localId = 'a1'.repeat(127).concat('z')
  const client = await identity.directory.find('client', 'fleet')
  if (!client) throw new Error('No client')
  await identity.devices.registerItself({ client, localId })

  const { body } = await identity.token({ ...deviceTokenRequest, device_id: localId })

  expect(localId).toHaveLength(255)
  expect(Buffer.byteLength(body.access_token ?? '')).toBeLessThan(996)
  expect(decodeProtectedHeader(body.access_token ?? '')).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
  expect(decodeJwt(body.access_token ?? '')).toMatchObject({
    sub: `urn:aa:device:acme:${localId}`,
    client_id: 'fleet',
    scope: 'surveillance_api',
    'urn:oauth:scope': 'surveillance_api',
  })
})

test('expiry is exact to the millisecond, also for cached tokens', async () => {
  const { clock, issue, verify } = await someTokens()
  const { token, expiresAtMs } = await issue(user)
  const other = (await issue(user, ['other'])).token

  await clock.advance(expiresAtMs - clock.now() - 1)
  await verify(token, 'user')
  await clock.advance(1)

  await expect(verify(token, 'user')).rejects.toMatchObject(refused)
  await expect(verify(other, 'user')).rejects.toMatchObject(refused)
})

test('a token issued up to 60 s in the future is accepted', async () => {
  const { sign, claims, verify, nowSeconds } = await someTokens()
  const ahead = (seconds: number) => ({ ...claims(), iat: nowSeconds() + seconds, exp: nowSeconds() + seconds + 60 })

  await verify(await sign(ahead(60)), 'device')
  await verify(await sign({ ...claims(), nbf: nowSeconds() + 60 }), 'device')
  await expect(verify(await sign(ahead(61)), 'device')).rejects.toMatchObject(refused)
  await expect(verify(await sign({ ...claims(), nbf: nowSeconds() + 62 }), 'device')).rejects.toMatchObject(refused)
})

test('tokens with claims that this server does not write are refused, even if signed with its key', async () => {
  const { sign, claims, verify, nowSeconds } = await someTokens()
  const variants: JWTPayload[] = [
    { exp: nowSeconds() - 1 },
    { exp: 1e300 },
    // Foreign JSON may contain this; jose's type allows only numbers.
    { exp: `${nowSeconds() + 60}` as never },
    { iat: `${nowSeconds()}` as never },
    { exp: nowSeconds() + 10 * 365 * 86_400 },
    { iss: 'https://evil.example' },
    { aud: origins.ui },
    { aud: [origins.ingest, 'https://evil.example'] },
    { sub: 'user-pilot' },
    { account: 'acme' },
    { client_id: 7 },
    ...['family', 'family.0', '.0.abc', 'family.0.', 'family.0.A', `family.0.${'z'.repeat(11)}`].map((jti) => ({
      jti,
    })),
    ...['exp', 'iat', 'sub', 'aud', 'iss', 'jti', 'scope', 'client_id'].map((name) => ({ [name]: undefined })),
  ]

  await verify(await sign(claims()), 'device')
  for (const variant of variants) {
    await expect(verify(await sign({ ...claims(), ...variant }), 'device')).rejects.toMatchObject(refused)
  }
})

test('tokens with another header are refused', async () => {
  const { sign, claims, verify } = await someTokens()
  const variants = [
    { typ: 'JWT' },
    { typ: undefined },
    { kid: undefined },
    { kid: '../../../etc/passwd' },
    { kid: "' OR 1=1 --" },
    { kid: '__proto__' },
  ]

  for (const variant of variants) {
    await expect(verify(await sign(claims(), variant), 'device')).rejects.toMatchObject(refused)
  }
})

test('tokens that this server has not signed are refused', async () => {
  const { keys, claims, header, verify, issue } = await someTokens()
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const ours = (await issue(device)).token
  const [head = '', payload = '', signature = ''] = ours.split('.')
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const jwk = foreign.publicKey.export({ format: 'jwk' })
  const foreignly = (more: Record<string, unknown> = {}) =>
    new SignJWT(claims()).setProtectedHeader({ ...header, ...more }).sign(foreign.privateKey)
  const signedByUs = (protectedHeader: unknown, text: string) => {
    const signed = `${encode(protectedHeader)}.${Buffer.from(text).toString('base64url')}`
    return `${signed}.${toJwsSignature(signData('sha256', Buffer.from(signed), keys.accessToken.key)).toString('base64url')}`
  }
  const publicKey = await keys.findAccessTokenKey(keys.accessToken.kid)
  if (!publicKey) throw new Error('No key')
  const hmacked = `${encode({ ...header, alg: 'HS256' })}.${encode(claims())}`
  const hmac = createHmac('sha256', await exportSPKI(publicKey))
    .update(hmacked)
    .digest('base64url')
  const relay = await new SignJWT(claims())
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: keys.relayMessage.kid })
    .sign(keys.relayMessage.key)

  const attacks = [
    `${encode({ ...header, alg: 'none' })}.${encode(claims())}.`,
    `${encode({ ...header, alg: 'none' })}.${payload}.${signature}`,
    `${hmacked}.${hmac}`,
    await foreignly(),
    await foreignly({ kid: 'unknown' }),
    await foreignly({ jwk }),
    await foreignly({ jku: 'https://evil.example/jwks' }),
    await foreignly({ x5u: 'https://evil.example/chain.pem' }),
    await foreignly({ x5c: [foreign.publicKey.export({ format: 'der', type: 'spki' }).toString('base64')] }),
    `${encode({ ...header, crit: ['exp'], exp: 1 })}.${payload}.${signature}`,
    signedByUs({ ...header, crit: ['unknown'], unknown: 1 }, JSON.stringify(claims())),
    signedByUs({ ...header, cty: 'JWT' }, ours),
    signedByUs(header, '[]'),
    signedByUs(header, 'null'),
    relay,
    `${head}.${encode({ ...claims(), sub: 'urn:aa:device:rival:x' })}.${signature}`,
    `${head}.${payload}.`,
    `${head}.${payload}`,
    `${ours}.`,
    ` ${ours}`,
    `${ours}=`,
    '',
    'a.b.c',
    'x'.repeat(1_000_000),
  ]
  for (const attack of attacks) await expect(verify(attack, 'device')).rejects.toMatchObject(refused)
  await verify(ours, 'device')
})

test('a token is refused in every other spelling of its parts', async () => {
  const { issue, verify } = await someTokens()
  const { token } = await issue(device)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  /** The last character with one of its unused bits set. */
  const withUnusedBit = (part: string) => part.slice(0, -1) + alphabet[alphabet.indexOf(part.at(-1) ?? '') ^ 1]
  const respellings = [
    (part: string) => part.padEnd(Math.ceil(part.length / 4) * 4, '='),
    (part: string) => (part.length % 4 === 0 ? part : withUnusedBit(part)),
    (part: string) => part.replaceAll('-', '+').replaceAll('_', '/'),
    (part: string) => `${part}\n`,
    (part: string) => ` ${part}`,
  ]
  const parts = token.split('.')
  const respelled = respellings.flatMap((respell) =>
    parts.map((_part, at) => parts.map((part, index) => (index === at ? respell(part) : part)).join('.')),
  )
  const others = respelled.filter((text) => text !== token)
  for (const at of [0, 1, 2]) expect(others.some((text) => text.split('.')[at] !== parts[at])).toBe(true)
  // Before and after the token is cached.
  for (const text of others) await expect(verify(text, 'device')).rejects.toMatchObject(refused)
  await verify(token, 'device')
  for (const text of others) await expect(verify(text, 'device')).rejects.toMatchObject(refused)
})

test('padding is refused although the padded text is what was signed', async () => {
  const { keys, header, claims, verify } = await someTokens()
  const toPart = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const pad = (part: string) => part.padEnd(Math.ceil(part.length / 4) * 4, '=')
  const parts = [toPart(header), toPart({ ...claims(), note: 'x' })]
  const sign = (text: string) =>
    `${text}.${signData('sha256', Buffer.from(text), { key: keys.accessToken.key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  await verify(sign(parts.join('.')), 'device')
  for (const filler of ['', 'x', 'xx']) {
    const signed = [toPart({ ...header, filler }), toPart({ ...claims(), note: filler })].map(pad).join('.')
    if (signed.includes('=')) await expect(verify(sign(signed), 'device')).rejects.toMatchObject(refused)
  }
})

test('the revocation of a family voids its access tokens', async () => {
  const { issue, verify, revocations } = await someTokens()
  const { token } = await issue(device)
  await verify(token, 'device')

  await revocations.revoke(`family:${familyId}`)

  await expect(verify(token, 'device')).rejects.toMatchObject(refused)
})

test('more tokens than the cache can keep are still verified', async () => {
  const { issue, verify } = await someTokens({ cacheLimit: 2 })
  const tokens = await Promise.all(['a', 'b', 'c', 'd'].map(async (scope) => (await issue(device, [scope])).token))

  for (const token of [...tokens, ...tokens]) expect((await verify(token, 'device')).kind).toBe('device')
})

test("two processes of a deployment verify each other's tokens", async () => {
  const { clock, directory, revocations, issue } = await someTokens()
  const keys = await loadKeys({ directory, clock })
  const other = createAccessTokens({ keys, revocations, clock, origins })

  expect((await other.verify((await issue(device)).token, 'device')).kind).toBe('device')
  expect(await directory.list('signingKey')).toHaveLength(2)
})

test('a key added by another process is found, and unknown keys are searched at most once a second', async () => {
  const { clock, directory, keys } = await someTokens()
  let reads = 0
  const list: typeof directory.list = (kind, options) => {
    reads++
    return directory.list(kind, options)
  }
  const watched = await loadKeys({ directory: { ...directory, list }, clock })
  await clock.advance(1_000)
  reads = 0

  for (let attempt = 0; attempt < 50; attempt++) await watched.findAccessTokenKey('unknown')

  expect(reads).toBe(1)
  expect(await watched.findAccessTokenKey(keys.accessToken.kid)).toBeDefined()
  expect(await watched.findAccessTokenKey(keys.relayMessage.kid)).toBeUndefined()
})
