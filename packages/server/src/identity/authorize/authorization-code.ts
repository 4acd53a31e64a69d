/**
 * Authorization codes: 60 s, good once, bound to client, redirect URI and PKCE (RFC 6749 §4.1.2, RFC 7636).
 * A spent code leaves a tombstone that names the family it gave, so that a replay is noticed and can end it.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Store } from '../../ports/store.ts'
import { hashSecret } from '../../web/secrets.ts'

export interface CodeGrant {
  clientId: string
  redirectUri: string
  userId: string
  scopes: string[]
  /** PKCE, S256. */
  codeChallenge: string | null
  /** From the user's approval: what is revoked since then voids the code (`revocations.ts`). */
  issuedAfterMs: number
}

export interface LiveCode extends CodeGrant {
  state: 'live'
  expiresAtMs: number
}

export type CodeRecord = LiveCode | { state: 'spent'; clientId: string; familyId: string }

export interface AuthorizationCodes {
  /** False when the code is there already: it keeps what it was given first. */
  write(code: string, grant: CodeGrant): Promise<boolean>
  /** A live code that has not expired, or the tombstone of a spent one. */
  find(code: string): Promise<CodeRecord | undefined>
  /** Spends a live code for a family; of any number of callers exactly one gets true. */
  spend(code: string, live: LiveCode, familyId: string): Promise<boolean>
}

const codeTtlMs = 60_000
/** How long a replay is noticed. */
const tombstoneTtlMs = 60 * 60_000

export function createAuthorizationCodes({ store, clock }: { store: Store; clock: Clock }): AuthorizationCodes {
  return {
    write(code, grant) {
      const record: CodeRecord = { state: 'live', ...grant, expiresAtMs: clock.now() + codeTtlMs }
      return store.replace<CodeRecord>(toKey(code), undefined, record, codeTtlMs)
    },
    async find(code) {
      const record = await store.get<CodeRecord>(toKey(code))
      return record?.state === 'live' && record.expiresAtMs <= clock.now() ? undefined : record
    },
    spend(code, live, familyId) {
      const tombstone: CodeRecord = { state: 'spent', clientId: live.clientId, familyId }
      return store.replace<CodeRecord>(toKey(code), live, tombstone, tombstoneTtlMs)
    },
  }
}

function toKey(code: string): string {
  return `code:${hashSecret(code)}`
}
