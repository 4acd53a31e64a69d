/**
 * Authorization codes: valid once, for 60 s, bound to client, redirect URI and PKCE (RFC 6749 §4.1.2, RFC 7636).
 * The record of a spent code stays for an hour with the ID of its family: a replay is detected and ends the family.
 */
import type { Clock } from '../../ports/clock.ts'
import { changeStored, type Store } from '../../ports/storage/store.ts'
import { hashSecret } from '../../secrets.ts'

export interface CodeGrant {
  clientId: string
  redirectUri: string
  userId: string
  scopes: string[]
  /** The PKCE challenge (S256). */
  codeChallenge: string | null
  /** The time of the user's approval: a later revocation voids the code (`revocations.ts`). */
  issuedAfterMs: number
}

export interface LiveCode extends CodeGrant {
  state: 'live'
  expiresAtMs: number
}

export type CodeRecord =
  | LiveCode
  | { state: 'spent'; clientId: string; userId: string; issuedAfterMs: number; familyId: string }
  /** Its user denied the request after all. */
  | { state: 'void'; clientId: string }

export interface AuthorizationCodes {
  /** False when the code already exists; its grant is unchanged. */
  write(code: string, grant: CodeGrant): Promise<boolean>
  /** A live code that has not expired, or the record of a spent or void one. */
  find(code: string): Promise<CodeRecord | undefined>
  /** Spends a live code for a family; exactly one of all callers gets true. */
  spend(code: string, live: LiveCode, familyId: string): Promise<boolean>
  /** Makes a code useless that is unused, or not written yet; false if it was spent. */
  void(code: string, clientId: string): Promise<boolean>
}

const codeTtlMs = 60_000
/** How long a replay is detected, and a void code stays so. */
const spentCodeTtlMs = 60 * 60_000

export function createAuthorizationCodes({ store, clock }: { store: Store; clock: Clock }): AuthorizationCodes {
  return {
    async void(code, clientId) {
      const next: CodeRecord = { state: 'void', clientId }
      const toNext = (current: CodeRecord | undefined) => (current?.state === 'spent' ? undefined : next)
      const before = await changeStored<CodeRecord>(store, toKey(code), toNext, spentCodeTtlMs)
      return before?.state !== 'spent'
    },
    write(code, grant) {
      const record: CodeRecord = { state: 'live', ...grant, expiresAtMs: clock.now() + codeTtlMs }
      return store.replace<CodeRecord>(toKey(code), undefined, record, codeTtlMs)
    },
    async find(code) {
      const record = await store.get<CodeRecord>(toKey(code))
      return record?.state === 'live' && record.expiresAtMs <= clock.now() ? undefined : record
    },
    spend(code, live, familyId) {
      const { clientId, userId, issuedAfterMs } = live
      const spentCode: CodeRecord = { state: 'spent', clientId, userId, issuedAfterMs, familyId }
      return store.replace<CodeRecord>(toKey(code), live, spentCode, spentCodeTtlMs)
    },
  }
}

function toKey(code: string): string {
  return `code:${hashSecret(code)}`
}
