/**
 * What can be revoked, and for how long that has to be remembered.
 * In: a cause. Out: the subject of its mark, as text (`ports/revocation-feed.ts`), and the mark's time to live.
 */
/** Why tokens end. `family`: the tokens of one sign-in, pairing or device; `token`: one access token. */
export type Revocation =
  | { kind: 'family'; familyId: string }
  | { kind: 'token'; tokenId: string }
  | { kind: 'user'; userId: string }
  | { kind: 'client'; clientId: string }
  | { kind: 'device'; deviceUrn: string }
  | { kind: 'consent'; userId: string; clientId: string }

export type RevocationSubject = `${Revocation['kind']}:${string}`

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** What the clocks of two processes may differ by. */
export const clockSkewMs = 60_000
/** Access tokens live a day at most, so that a mark that is older says nothing of any of them. */
export const memoryMs = 25 * hourMs
/** A refresh family that is used meets the mark; one that is not ends by itself, after 90 days at the latest. */
const familyMarkMs = 91 * dayMs

export function toRevocationSubject(revocation: Revocation): RevocationSubject {
  switch (revocation.kind) {
    case 'family':
      return `family:${revocation.familyId}`
    case 'token':
      return `token:${revocation.tokenId}`
    case 'user':
      return `user:${revocation.userId}`
    case 'client':
      return `client:${revocation.clientId}`
    case 'device':
      return `device:${revocation.deviceUrn}`
    case 'consent':
      return `consent:${revocation.userId}:${revocation.clientId}`
  }
}

/** Whose revocation ends what `subject` got through `clientId`. */
export function subjectsOf(
  clientId: string,
  subject: { kind: 'user'; userId: string } | { kind: 'device'; deviceUrn: string },
): RevocationSubject[] {
  return subject.kind === 'user'
    ? [`client:${clientId}`, `user:${subject.userId}`, `consent:${subject.userId}:${clientId}`]
    : [`client:${clientId}`, `device:${subject.deviceUrn}`]
}

/** Families and tokens are ended for ever; the others may get tokens again, which a mark of earlier does not void. */
export function isTimeless(subject: string): boolean {
  return subject.startsWith('family:') || subject.startsWith('token:')
}

export function ttlOf(subject: RevocationSubject): number {
  return isTimeless(subject) ? memoryMs : familyMarkMs
}
