/**
 * Families of refresh tokens (RFC 9700 §4.14.2): one record per family, rotated in one atomic step.
 * A token can be used once. A second use within the grace period returns the same pair if the successor is still
 * unused. Any other second use counts as theft and ends the family. The store has only hashes and one encrypted pair.
 */
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'
import { subjectsOf, type TokenHolder } from '../revocation/revocation-subject.ts'
import type { Issued, IssuedTo, Revocations } from '../revocation/revocations.ts'
import type { AccessToken, AccessTokens, Subject } from './access-token.ts'
import { createFamilySlots } from './family-slots.ts'
import { createRefreshToken, createSuccessor, toRefreshTokenParts, toSlotOf } from './refresh-token.ts'
import { sealPair, type TokenPair, unsealPair } from './sealed-successor.ts'

export interface RefreshFamily {
  id: string
  clientId: string
  subject: Subject
  scopes: string[]
  /**
   * Whether the family was created by pairing. Its holder has no client secret. A device has at most one such family.
   */
  paired: boolean
  /** The time of its sign-in, pairing or device request: a later revocation voids the family (`revocations.ts`). */
  issuedAfterMs: number
  /** The family ends at this time unless it is rotated before. */
  idleEndsAtMs: number
  /** The family ends at this time in any case; null = never. */
  endsAtMs: number | null
  /** Increases with each rotation. */
  generation: number
  currentHash: string
  previous: { hash: string; rotatedAtMs: number; sealedPair: string } | null
}

export type FamilyGrant = Pick<RefreshFamily, 'clientId' | 'subject' | 'scopes' | 'issuedAfterMs'> & {
  /** From `findSlot`. */
  slot: string
  paired?: boolean
}

export type Rotation =
  | { kind: 'rotated'; pair: TokenPair }
  | { kind: 'repeated'; pair: TokenPair }
  /** The token was used before; its family has ended now. */
  | { kind: 'replayed' }
  | { kind: 'dead' }

export interface RefreshFamilies {
  /** Where the holder's next family is to be stored, in place of its oldest one (`family-slots.ts`). */
  findSlot(holder: TokenHolder, paired: boolean): Promise<string>
  /** Its first call of the store is the write, as `Revocations.writeUnlessRevoked` needs it. */
  create(grant: FamilyGrant): Promise<{ familyId: string; pair: TokenPair }>
  /** Undefined if it has ended. */
  get(familyId: string): Promise<RefreshFamily | undefined>
  /** The family of a refresh token; undefined if it has ended. */
  find(refreshToken: string): Promise<RefreshFamily | undefined>
  /** Exchanges a token of this family, as `find` returned it, for a pair with `scopes`. */
  rotate(refreshToken: string, options: { family: RefreshFamily; scopes: string[] }): Promise<Rotation>
  /** Ends the family and its access tokens. `holder` as in `Revocations.revoke`. */
  revoke(familyId: string, holder?: IssuedTo): Promise<void>
  /** Ends a family without a revocation. For a family whose tokens were not sent to any client. */
  discard(familyId: string): Promise<void>
}

export interface RefreshFamilyOptions {
  store: Store
  clock: Clock
  accessTokens: AccessTokens
  revocations: Pick<Revocations, 'revoke' | 'isRevoked' | 'writeUnlessRevoked'>
  /** How long a second use of a token returns the same pair; 0 = never. */
  graceMs: number
}

const dayMs = 24 * 60 * 60_000
const lifetimes = {
  user: { idleMs: 30 * dayMs, absoluteMs: 180 * dayMs },
  device: { idleMs: 90 * dayMs, absoluteMs: null },
}
/** Concurrent requests with one token need fewer rounds than this. */
const maxRounds = 4

export function createRefreshFamilies({
  store,
  clock,
  accessTokens,
  revocations,
  graceMs,
}: RefreshFamilyOptions): RefreshFamilies {
  const slots = createFamilySlots({ store, clock })

  async function findById(familyId: string): Promise<RefreshFamily | undefined> {
    const family = await store.get<RefreshFamily>(toKey(familyId))
    if (family?.id !== familyId || family.idleEndsAtMs <= clock.now()) return undefined
    const { subjects, issuedAfterMs } = toIssued(family)
    const isRevoked = await revocations.isRevoked({ subjects: [`family:${familyId}`, ...subjects], issuedAfterMs })
    return isRevoked ? undefined : family
  }

  async function rotateOnce(
    refreshToken: string,
    family: RefreshFamily,
    scopes: string[],
  ): Promise<Rotation | undefined> {
    const generation = family.generation + 1
    const { id: familyId, clientId, subject, issuedAfterMs } = family
    const accessToken = await accessTokens.issue({ subject, clientId, scopes, familyId, generation, issuedAfterMs })
    const pair = toPair(accessToken, createSuccessor(refreshToken), scopes)
    const now = clock.now()
    const next: RefreshFamily = {
      ...family,
      generation,
      idleEndsAtMs: toIdleEnd(family, now),
      currentHash: hashSecret(pair.refreshToken),
      previous: { hash: family.currentHash, rotatedAtMs: now, sealedPair: sealPair(pair, refreshToken) },
    }
    const isWritten = await revocations.writeUnlessRevoked(toIssued(family), {
      write: () => store.replace(toKey(familyId), family, next, next.idleEndsAtMs - now),
      discard: async (isWritten) => void (isWritten && (await discard(familyId))),
    })
    if (isWritten === undefined) return { kind: 'dead' }
    return isWritten ? { kind: 'rotated', pair } : undefined
  }

  async function repeat(sealedPair: string, refreshToken: string, family: RefreshFamily): Promise<Rotation> {
    const pair = await revocations.writeUnlessRevoked(toIssued(family), {
      write: async () => unsealPair(sealedPair, refreshToken),
      discard: () => discard(family.id),
    })
    return pair ? { kind: 'repeated', pair } : { kind: 'dead' }
  }

  // The record ends last, so that the call can be repeated if it fails between the two steps.
  async function revoke(familyId: string, holder?: IssuedTo): Promise<void> {
    await revocations.revoke(`family:${familyId}`, holder)
    await discard(familyId)
  }

  /** Replaces the record by an ended one that expires at once: a newer family in the same slot stays. */
  async function discard(familyId: string): Promise<void> {
    const toNext = (family: RefreshFamily | undefined) =>
      family?.id === familyId ? { ...family, idleEndsAtMs: 0 } : undefined
    await changeStored(store, toKey(familyId), toNext, 1)
  }

  return {
    findSlot: slots.next,
    get: findById,

    async create({ slot, clientId, subject, scopes, issuedAfterMs, paired = false }) {
      const now = clock.now()
      const refreshToken = createRefreshToken({ paired, slot })
      const { familyId, hash } = toOwnParts(refreshToken)
      const { absoluteMs } = lifetimes[subject.kind]
      const endsAtMs = absoluteMs === null ? null : now + absoluteMs
      const family: RefreshFamily = {
        id: familyId,
        clientId,
        subject,
        scopes,
        paired,
        issuedAfterMs,
        idleEndsAtMs: toIdleEnd({ subject, endsAtMs }, now),
        endsAtMs,
        generation: 0,
        currentHash: hash,
        previous: null,
      }
      const [accessToken] = await Promise.all([
        accessTokens.issue({ subject, clientId, scopes, familyId, generation: 0, issuedAfterMs }),
        store.put(toKey(familyId), family, family.idleEndsAtMs - now),
      ])
      return { familyId, pair: toPair(accessToken, refreshToken, scopes) }
    },

    async find(refreshToken) {
      const parts = toRefreshTokenParts(refreshToken)
      return parts && findById(parts.familyId)
    },

    async rotate(refreshToken, { family: found, scopes }) {
      const parts = toRefreshTokenParts(refreshToken)
      let family: RefreshFamily | undefined = found
      for (let round = 0; round < maxRounds; round++) {
        if (!parts || parts.familyId !== family?.id) return { kind: 'dead' }
        if (parts.hash === family.currentHash) {
          const rotation = await rotateOnce(refreshToken, family, scopes)
          if (rotation) return rotation
          // Another request has rotated the family first. Read it again: this request is now a second use.
          family = await findById(parts.familyId)
          continue
        }
        const { previous } = family
        if (previous?.hash === parts.hash && clock.now() - previous.rotatedAtMs < graceMs) {
          return repeat(previous.sealedPair, refreshToken, family)
        }
        await revoke(family.id, family)
        return { kind: 'replayed' }
      }
      throw new ApiError('unavailable', 'The refresh token is being used by too many requests at once; try again')
    },

    revoke,
    discard,
  }
}

/**
 * The family is not one of the subjects: ending its record is enough. So when a second use ends the family, a first use
 * that is still running returns its pair.
 */
function toIssued({ clientId, subject, issuedAfterMs }: RefreshFamily): Issued {
  return { subjects: subjectsOf(clientId, subject), issuedAfterMs }
}

function toKey(familyId: string): string {
  return `refresh-family:${toSlotOf(familyId)}`
}

function toIdleEnd({ subject, endsAtMs }: Pick<RefreshFamily, 'subject' | 'endsAtMs'>, now: number): number {
  return Math.min(now + lifetimes[subject.kind].idleMs, endsAtMs ?? Number.POSITIVE_INFINITY)
}

function toPair({ token, expiresAtMs }: AccessToken, refreshToken: string, scopes: string[]): TokenPair {
  return { accessToken: token, expiresAtMs, refreshToken, scopes }
}

function toOwnParts(refreshToken: string) {
  const parts = toRefreshTokenParts(refreshToken)
  if (!parts) throw new TypeError('A new refresh token has an unexpected format')
  return parts
}
