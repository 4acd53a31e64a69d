/**
 * The subjects of revocations, and how long a revocation must be kept.
 * In: a cause. Out: the subject of its revocation, as text (`ports/storage/revocation-feed.ts`), and the revocation's
 * time to live.
 */
/** Why tokens end. `family`: the tokens of one sign-in, pairing or device; `token`: one access token. */
export type RevocationCause =
  | { kind: 'family'; familyId: string }
  | { kind: 'token'; tokenId: string }
  | { kind: 'user'; userId: string }
  | { kind: 'client'; clientId: string }
  | { kind: 'device'; deviceUrn: string }
  | { kind: 'consent'; userId: string; clientId: string }

export type RevocationSubject = `${RevocationCause['kind']}:${string}`

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** How much the clocks of two processes may differ. */
export const clockSkewMs = 60_000
/** Access tokens live a day at most: an older revocation cannot void a valid one. */
export const keptInMemoryMs = 25 * hourMs
/**
 * A refresh family lives 90 days at most without use, and each use asks the feed: an older revocation cannot void a
 * valid one.
 */
const keptInFeedMs = 91 * dayMs

export function toRevocationSubject(cause: RevocationCause): RevocationSubject {
  switch (cause.kind) {
    case 'family':
      return `family:${cause.familyId}`
    case 'token':
      return `token:${cause.tokenId}`
    case 'user':
      return `user:${cause.userId}`
    case 'client':
      return `client:${cause.clientId}`
    case 'device':
      return `device:${cause.deviceUrn}`
    case 'consent':
      return `consent:${cause.userId}:${cause.clientId}`
  }
}

/** Who has tokens: a user at a client, or a device, which has one client. */
export interface TokenHolder {
  clientId: string
  subject: { kind: 'user'; userId: string } | { kind: 'device'; deviceUrn: string }
}

/** The subjects whose revocation ends the tokens that `subject` got through `clientId`. */
export function subjectsOf(clientId: string, subject: TokenHolder['subject']): RevocationSubject[] {
  const ofHolder = toRevocationSubject(toCauseForHolder({ clientId, subject }))
  return subject.kind === 'user'
    ? [`client:${clientId}`, `user:${subject.userId}`, ofHolder]
    : [`client:${clientId}`, ofHolder]
}

/** Ends all tokens of the holder, and no others. */
export function toCauseForHolder({ clientId, subject }: TokenHolder): RevocationCause {
  return subject.kind === 'user'
    ? { kind: 'consent', userId: subject.userId, clientId }
    : { kind: 'device', deviceUrn: subject.deviceUrn }
}

/**
 * A revoked family or token stays revoked. Other subjects may get new tokens, which an earlier revocation does not
 * void.
 */
export function isPermanent(subject: string): boolean {
  return subject.startsWith('family:') || subject.startsWith('token:')
}

export function ttlOf(subject: RevocationSubject): number {
  return isPermanent(subject) ? keptInMemoryMs : keptInFeedMs
}
