/**
 * Access tokens: ES256 JWTs in the format of RFC 9068 with short claims, because sensors store theirs in 996 bytes.
 * In: the subject, the client, the scopes. Out: the token; and from a token, its principal.
 * Verification reads no store: a signature is checked once, expiry and revocation on every call.
 */
import { errors, type JWTPayload, jwtVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Principal, VerifyAccessToken } from '../../ports/principal.ts'
import { hashSecret } from '../../secrets.ts'
import type { Keys } from '../keys/keys.ts'
import { subjectsOf } from '../revocation/revocation-subject.ts'
import type { Issued, Revocations } from '../revocation/revocations.ts'
import { toScopes } from './scope.ts'
import { signJwt } from './sign-jwt.ts'

export type Subject = { kind: 'user'; userId: string; accountId: string } | { kind: 'device'; deviceUrn: string }

export interface AccessTokenGrant {
  subject: Subject
  clientId: string
  scopes: string[]
  familyId: string
  /** The number of the token in its family. */
  generation: number
  /** The same as the family's: what voids the family voids its tokens, too (`revocations.ts`). */
  issuedAfterMs: number
}

export interface AccessToken {
  token: string
  expiresAtMs: number
}

export interface AccessTokens {
  issue(grant: AccessTokenGrant): Promise<AccessToken>
  verify: VerifyAccessToken
  /** The principal of a token that is valid now, for any audience. */
  find(token: string): Promise<Principal | undefined>
  /** Revokes this token alone (`Revocations.revoke`). */
  revoke(principal: Principal): Promise<void>
  /** Whether the token of this principal is revoked; for callers that have only the principal. */
  isRevoked(principal: Principal): Promise<boolean>
}

export interface AccessTokenOptions {
  keys: Keys
  revocations: Pick<Revocations, 'isRevoked' | 'revoke'>
  clock: Clock
  origins: { auth: string; ingest: string; ui: string }
  /** Verified tokens that are cached. Default 10_000. */
  cacheLimit?: number
}

const userTokenTtlMs = 15 * 60_000
const deviceTokenTtlMs = 24 * 60 * 60_000

const maxTokenLength = 8 * 1024
/** How far ahead the clock that wrote `iat` may be. `exp` gets no tolerance. */
const skewSeconds = 60
const urnPrefix = 'urn:aa:device:'

interface Verified {
  kid: string
  principal: Principal
  issued: Issued
  audience: string
  expiresAtMs: number
}

export function createAccessTokens({
  keys,
  revocations,
  clock,
  origins,
  cacheLimit = 10_000,
}: AccessTokenOptions): AccessTokens {
  const verifiedTokens = new LRUCache<string, Verified>({ max: cacheLimit })
  const audiences = { user: origins.ui, device: origins.ingest }

  async function findVerified(token: string): Promise<Verified | undefined> {
    if (token.length > maxTokenLength) return undefined
    const digest = hashSecret(token)
    const known = verifiedTokens.get(digest)
    const verified = known ?? (await verifySignature(token))
    const isGood = verified && keys.has(verified.kid) && verified.expiresAtMs > clock.now()
    if (!isGood || (await revocations.isRevoked(verified.issued))) {
      verifiedTokens.delete(digest)
      return undefined
    }
    if (!known) verifiedTokens.set(digest, verified)
    return verified
  }

  async function verifySignature(token: string): Promise<Verified | undefined> {
    if (!token.split('.').every(isCanonical)) return undefined
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        async ({ kid = '' }) => (await keys.findAccessTokenKey(kid)) ?? Promise.reject(new errors.JWKSNoMatchingKey()),
        {
          algorithms: ['ES256'],
          typ: 'at+jwt',
          issuer: origins.auth,
          requiredClaims: ['exp', 'sub', 'aud', 'iss', 'jti', 'iat'],
          currentDate: new Date(clock.now()),
          clockTolerance: skewSeconds,
        },
      )
      const { kid = '' } = protectedHeader
      return toVerified({ kid, claims: payload, nowMs: clock.now() })
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  return {
    async issue({ subject, clientId, scopes, familyId, generation, issuedAfterMs }) {
      const issuedAtSeconds = Math.floor(clock.now() / 1000)
      const expiresAtSeconds = issuedAtSeconds + toTtlMs(subject) / 1000
      const scope = scopes.join(' ')
      const claims: JWTPayload = {
        iss: origins.auth,
        aud: audiences[subject.kind],
        sub: subject.kind === 'user' ? subject.userId : subject.deviceUrn,
        client_id: clientId,
        scope,
        'urn:oauth:scope': scope,
        iat: issuedAtSeconds,
        exp: expiresAtSeconds,
        jti: `${familyId}.${generation.toString(36)}.${issuedAfterMs.toString(36)}`,
        ...(subject.kind === 'user' && { account: subject.accountId }),
      }
      const token = await signJwt({ typ: 'at+jwt', claims, signer: keys.accessToken })
      return { token, expiresAtMs: expiresAtSeconds * 1000 }
    },
    async verify(token, audience) {
      const verified = await findVerified(token)
      // All origins may be the same, so the audience alone does not distinguish user tokens from device tokens.
      if (!verified) throw invalidToken('The access token is expired or not valid')
      if (verified.principal.kind !== audience) {
        throw invalidToken(`This operation takes a ${audience} token, and this is a ${verified.principal.kind} token`)
      }
      if (verified.audience !== audiences[audience]) throw invalidToken('The access token is for another service')
      return verified.principal
    },
    async find(token) {
      return (await findVerified(token))?.principal
    },
    async revoke({ tokenId, clientId, ...subject }) {
      const issued = toIssued(tokenId, clientId, subject)
      await revocations.revoke(`token:${tokenId}`, issued && { clientId, subject, issuedAfterMs: issued.issuedAfterMs })
    },
    async isRevoked({ tokenId, clientId, ...subject }) {
      const issued = toIssued(tokenId, clientId, subject)
      return issued === undefined || revocations.isRevoked(issued)
    },
  }
}

/** RFC 6750 §3.1 */
function invalidToken(message: string): ApiError {
  const challenge = `Bearer error="invalid_token", error_description="${message}"`
  return new ApiError('invalid_token', message, { headers: { 'WWW-Authenticate': challenge } })
}

/** base64url without padding and with all unused bits 0 (RFC 7515 §2), so that each token has one text. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part
}

function toTtlMs({ kind }: Subject): number {
  return kind === 'user' ? userTokenTtlMs : deviceTokenTtlMs
}

/** Undefined for claims that this server does not write. */
function toVerified({ kid, claims, nowMs }: { kid: string; claims: JWTPayload; nowMs: number }): Verified | undefined {
  const { sub, aud, jti, client_id: clientId, scope, iat = Number.NaN, exp = Number.NaN } = claims
  if (typeof sub !== 'string' || typeof aud !== 'string' || typeof jti !== 'string') return undefined
  if (typeof clientId !== 'string' || typeof scope !== 'string') return undefined
  if (!(iat * 1000 <= nowMs + skewSeconds * 1000) || !(exp - iat <= deviceTokenTtlMs / 1000)) return undefined

  const subject = toSubject(sub, claims.account)
  const issued = subject && toIssued(jti, clientId, subject)
  if (!subject || !issued) return undefined
  const principal = { ...subject, clientId, scopes: toScopes(scope), tokenId: jti }
  return { kid, principal, issued, audience: aud, expiresAtMs: exp * 1000 }
}

function toSubject(sub: string, accountId: unknown): Subject | undefined {
  if (!sub.startsWith(urnPrefix))
    return typeof accountId === 'string' ? { kind: 'user', userId: sub, accountId } : undefined
  return accountId === undefined ? { kind: 'device', deviceUrn: sub } : undefined
}

function toIssued(tokenId: string, clientId: string, subject: Subject): Issued | undefined {
  const [, familyId, issuedAfter = ''] = /^([^.]+)\.[0-9a-z]+\.([0-9a-z]{1,10})$/.exec(tokenId) ?? []
  if (familyId === undefined) return undefined
  return {
    subjects: [`family:${familyId}`, `token:${tokenId}`, ...subjectsOf(clientId, subject)],
    issuedAfterMs: Number.parseInt(issuedAfter, 36),
  }
}
