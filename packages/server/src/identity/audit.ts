import type { RevocationCause } from './revocation/revocation-subject.ts'

/** What the identity provider tells the audit log; no secret, no token, no password is ever in it. */
export type AuditEvent =
  | { event: 'signed-in'; userId: string; address: string }
  | { event: 'sign-in-failed'; address: string }
  | { event: 'signed-out'; userId: string }
  | { event: 'session-ended'; userId: string }
  | { event: 'password-changed'; userId: string }
  | { event: 'access-revoked'; userId: string; clientId: string }
  | { event: 'account-created'; userId: string; accountId: string; address: string }
  | { event: 'approved'; userId: string; clientId: string; scopes: string[] }
  | { event: 'denied'; userId: string; clientId: string }
  | { event: 'tokens-issued'; grant: string; clientId: string; subject: string; familyId: string }
  | { event: 'refreshed'; clientId: string; subject: string; familyId: string }
  | { event: 'refresh-repeated'; clientId: string; subject: string; familyId: string }
  | { event: 'refresh-replayed'; clientId: string; subject: string; familyId: string }
  | { event: 'code-replayed'; clientId: string; familyId: string }
  | { event: 'refresh-refused'; clientId: string; subject: string; familyId: string }
  /** `clientId`: of the client that asked for it (RFC 7009). */
  | { event: 'revoked'; revocation: RevocationCause; clientId?: string }
  | { event: 'client-refused'; clientId: string; address: string }

export type Audit = (event: AuditEvent) => void
