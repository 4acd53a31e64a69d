/**
 * Removes a leaked signing key at once; everything signed with it becomes invalid.
 * In: the key's id. Out: the key that signs from now on. Within a second, no process uses the dropped key.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Directory, SigningKey } from '../../ports/storage/directory.ts'
import { findPendingKey, findSigningKey, toNextGeneration } from './key-schedule.ts'
import { createKey, listKeys } from './keys.ts'

export interface DroppedKey {
  use: SigningKey['use']
  /** The key that signs now: the current one, or the successor, which then signs without being published first. */
  signingKid: string
}

/** Undefined when there is no such key. */
export async function dropKey(
  kid: string,
  { directory, clock }: { directory: Directory; clock: Clock },
): Promise<DroppedKey | undefined> {
  const dropped = await directory.find('signingKey', kid)
  if (!dropped) return undefined
  const { use } = dropped
  // Set the successor first: a server without a signing key cannot issue tokens. This step can be repeated.
  for (;;) {
    const keys = await listKeys(directory, use)
    const nowMs = clock.now()
    const signing = findSigningKey(keys, nowMs)
    if (signing && signing.id !== kid) {
      await directory.remove('signingKey', kid)
      return { use, signingKid: signing.id }
    }
    const pending = findPendingKey(keys, nowMs)
    if (pending && pending.id !== kid) {
      await directory.update('signingKey', pending.id, (current) => ({ ...current, signsFromMs: nowMs }))
    } else {
      await directory.insert(
        'signingKey',
        await createKey(use, { generation: toNextGeneration(keys), nowMs, leadMs: 0 }),
      )
    }
  }
}
