/**
 * Who had what an operator gives away now: URN parts of clients that were removed.
 * In: a client that is added or removed. Out: the account that had its URN part in the last 30 days. Receivers may
 * still trust messages with that part (`clientParts`) as that account's.
 */
import type { Clock } from '../ports/clock.ts'
import type { Client, Directory } from '../ports/storage/directory.ts'

/** The account of a record that nobody owns any more. No account has this id. */
const nobody = ''
const dayMs = 24 * 60 * 60_000
const refusedDays = 30

export async function recordFormerUrnPart(
  { urnPart, accountId }: Client,
  { directory, clock }: { directory: Directory; clock: Clock },
): Promise<void> {
  const former = { id: urnPart, accountId, removedAtMs: clock.now() }
  if (!(await directory.insert('formerUrnPart', former))) await directory.update('formerUrnPart', urnPart, () => former)
}

/** Why the client may not have its URN part; undefined if it may. */
export async function findFormerUrnPart(
  { urnPart, accountId }: Pick<Client, 'urnPart' | 'accountId'>,
  { directory, clock }: { directory: Directory; clock: Clock },
): Promise<string | undefined> {
  const former = await directory.find('formerUrnPart', urnPart)
  if (!former || former.accountId === accountId) return undefined
  const freeAtMs = former.removedAtMs + refusedDays * dayMs
  if (clock.now() >= freeAtMs) return undefined
  const owner = former.accountId === nobody ? 'an account that was removed' : `the account "${former.accountId}"`
  return `belonged to ${owner}, and receivers may take its sensors for those of that account until ${new Date(freeAtMs).toISOString()}`
}

/** After an account was removed: its id may be given to somebody else, who is another owner of what it had. */
export async function disownAll(directory: Directory, accountId: string): Promise<void> {
  const where = { index: 'accountId', equals: accountId }
  for (const { id } of await directory.list('formerDevice', { where })) {
    await directory.update('formerDevice', id, (current) => ({ ...current, accountId: nobody, isReleased: true }))
  }
  for (const { id } of await directory.list('formerUrnPart', { where })) {
    await directory.update('formerUrnPart', id, (current) => ({ ...current, accountId: nobody }))
  }
}
