import type { RevocationCause } from './revocation/revocation-subject.ts'

/**
 * The events that identity provider, pairing and administration write to the audit log. They never contain a secret,
 * token or password.
 */
export type AuditEvent =
  | { event: 'signed-in'; userId: string; address: string }
  | { event: 'sign-in-failed'; address: string }
  | { event: 'signed-out'; userId: string }
  | { event: 'session-ended'; userId: string }
  | { event: 'password-changed'; userId: string }
  /** An operator made a link with which the user sets a new password. */
  | { event: 'reset-link-issued'; userId: string }
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
  /** `clientId`: the client that requested the revocation (RFC 7009). */
  | { event: 'revoked'; revocation: RevocationCause; clientId?: string }
  /** The redirect URI is http on loopback, and `setting` is off. */
  | { event: 'redirect-refused'; clientId: string; setting: '--allow-loopback-redirects'; address: string }
  | { event: 'client-refused'; clientId: string; address: string }
  /** Another account had the local ID first. `userId` is missing when an operator started the pairing. */
  | { event: 'pairing-refused'; deviceUrn: string; earlierUrn: string; userId?: string }
  /** An operator allowed the pairing of a device whose local ID other accounts have. */
  | { event: 'pairing-allowed'; deviceUrn: string; otherUrns: string[] }

export type Audit = (event: AuditEvent) => void
