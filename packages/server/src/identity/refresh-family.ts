/**
 * Families of refresh tokens (RFC 9700 §4.14.2): one record per family, rotated in one atomic step.
 * A token is good once; repeated within the grace while its successor is unused, it gets the same pair again;
 * otherwise its repetition is theft and ends the family. At rest there are hashes, and one sealed pair.
 */
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { Store } from '../ports/store.ts'
import type { AccessToken, AccessTokens, Subject } from './access-token.ts'
import {
  createRefreshToken,
  createSuccessor,
  sealPair,
  type TokenPair,
  toRefreshTokenParts,
  unsealPair,
} from './refresh-token.ts'
import type { Revocations } from './revocations.ts'

export interface RefreshFamily {
  id: string
  clientId: string
  subject: Subject
  scopes: string[]
  /** Won by pairing: its holder has no client secret, and the device has one such family at most. */
  paired: boolean
  createdAtMs: number
  /** When it ends unless it is rotated before. */
  idleEndsAtMs: number
  /** When it ends in any case; null = never. */
  endsAtMs: number | null
  /** Rises with each rotation. */
  generation: number
  currentHash: string
  previous: { hash: string; rotatedAtMs: number; sealedPair: string } | null
}

export interface FamilyGrant {
  clientId: string
  subject: Subject
  scopes: string[]
  paired?: boolean
}

export type Rotation =
  | { kind: 'rotated'; pair: TokenPair }
  | { kind: 'repeated'; pair: TokenPair }
  /** The token had been used before; its family is ended now. */
  | { kind: 'replayed' }
  | { kind: 'dead' }

export interface RefreshFamilies {
  create(grant: FamilyGrant): Promise<{ familyId: string; pair: TokenPair }>
  /** The living family that a refresh token belongs to. */
  find(refreshToken: string): Promise<RefreshFamily | undefined>
  /** Exchanges a token of `clientId` for a pair that carries `scopes`. */
  rotate(refreshToken: string, options: { clientId: string; scopes: string[] }): Promise<Rotation>
  /** Ends the family and the access tokens it has given. */
  revoke(familyId: string): Promise<void>
}

export interface RefreshFamilyOptions {
  store: Store
  clock: Clock
  accessTokens: AccessTokens
  revocations: Revocations
  /** How long a repetition gets the same pair; 0 = never. */
  graceMs: number
}

const dayMs = 24 * 60 * 60_000
const lifetimes = {
  user: { idleMs: 30 * dayMs, absoluteMs: 180 * dayMs },
  device: { idleMs: 90 * dayMs, absoluteMs: null },
}
/** One round for each side of a race, and one to spare. */
const maxRounds = 4

export function createRefreshFamilies({
  store,
  clock,
  accessTokens,
  revocations,
  graceMs,
}: RefreshFamilyOptions): RefreshFamilies {
  async function findById(familyId: string): Promise<RefreshFamily | undefined> {
    const family = await store.get<RefreshFamily>(toKey(familyId))
    return family && clock.now() < family.idleEndsAtMs ? family : undefined
  }

  async function rotateOnce(
    refreshToken: string,
    family: RefreshFamily,
    scopes: string[],
  ): Promise<TokenPair | undefined> {
    const generation = family.generation + 1
    const { clientId, subject } = family
    const accessToken = await accessTokens.issue({ subject, clientId, scopes, familyId: family.id, generation })
    const pair = toPair(accessToken, createSuccessor(refreshToken), scopes)
    const now = clock.now()
    const next: RefreshFamily = {
      ...family,
      generation,
      idleEndsAtMs: toIdleEnd(family, now),
      currentHash: toHash(pair.refreshToken),
      previous: { hash: family.currentHash, rotatedAtMs: now, sealedPair: sealPair(pair, refreshToken) },
    }
    return (await store.replace(toKey(family.id), family, next, next.idleEndsAtMs - now)) ? pair : undefined
  }

  async function revoke(familyId: string): Promise<void> {
    await store.delete(toKey(familyId))
    revocations.add(familyId)
  }

  return {
    async create({ clientId, subject, scopes, paired = false }) {
      const refreshToken = createRefreshToken({ paired })
      const { familyId, hash } = toOwnParts(refreshToken)
      const now = clock.now()
      const { absoluteMs } = lifetimes[subject.kind]
      const endsAtMs = absoluteMs === null ? null : now + absoluteMs
      const family: RefreshFamily = {
        id: familyId,
        clientId,
        subject,
        scopes,
        paired,
        createdAtMs: now,
        idleEndsAtMs: toIdleEnd({ subject, endsAtMs }, now),
        endsAtMs,
        generation: 0,
        currentHash: hash,
        previous: null,
      }
      const accessToken = await accessTokens.issue({ subject, clientId, scopes, familyId, generation: 0 })
      await store.put(toKey(familyId), family, family.idleEndsAtMs - now)
      return { familyId, pair: toPair(accessToken, refreshToken, scopes) }
    },

    async find(refreshToken) {
      const parts = toRefreshTokenParts(refreshToken)
      return parts && findById(parts.familyId)
    },

    async rotate(refreshToken, { clientId, scopes }) {
      const parts = toRefreshTokenParts(refreshToken)
      if (!parts) return { kind: 'dead' }
      for (let round = 0; round < maxRounds; round++) {
        const family = await findById(parts.familyId)
        // Another client's token harms nobody: it is as dead as an unknown one, and its family lives on.
        if (family?.clientId !== clientId) return { kind: 'dead' }
        if (parts.hash === family.currentHash) {
          const pair = await rotateOnce(refreshToken, family, scopes)
          if (pair) return { kind: 'rotated', pair }
          // Another request was first: look again, this one is a repetition now.
          continue
        }
        const { previous } = family
        if (previous?.hash === parts.hash && clock.now() - previous.rotatedAtMs < graceMs) {
          return { kind: 'repeated', pair: unsealPair(previous.sealedPair, refreshToken) }
        }
        await revoke(family.id)
        return { kind: 'replayed' }
      }
      throw new ApiError('unavailable', 'The refresh token is being used by too many requests at once; try again')
    },

    revoke,
  }
}

function toKey(familyId: string): string {
  return `refresh-family:${familyId}`
}

function toIdleEnd({ subject, endsAtMs }: Pick<RefreshFamily, 'subject' | 'endsAtMs'>, now: number): number {
  return Math.min(now + lifetimes[subject.kind].idleMs, endsAtMs ?? Number.POSITIVE_INFINITY)
}

function toPair({ token, expiresAtMs }: AccessToken, refreshToken: string, scopes: string[]): TokenPair {
  return { accessToken: token, expiresAtMs, refreshToken, scopes }
}

function toHash(refreshToken: string): string {
  return toOwnParts(refreshToken).hash
}

function toOwnParts(refreshToken: string) {
  const parts = toRefreshTokenParts(refreshToken)
  if (!parts) throw new TypeError('A refresh token that was just made has not the shape of one')
  return parts
}
