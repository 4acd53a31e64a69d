/** Operator commands on the signing keys. In: key ids. Out: views, which never contain a private key. */
import { type DroppedKey, dropKey } from '../identity/keys/drop-key.ts'
import { findPublishedKeys, findSigningKey } from '../identity/keys/key-schedule.ts'
import { rotateKeys } from '../identity/keys/keys.ts'
import type { Clock } from '../ports/clock.ts'
import type { Directory, SigningKey } from '../ports/storage/directory.ts'
import { AdminError } from './admin-error.ts'
import { toTime } from './views.ts'

export interface KeyView {
  kid: string
  use: SigningKey['use']
  createdAt: string
  /** The time from which the key signs. */
  signsFrom: string
  /** `next`: published, signs later. `retired`: no longer signs; stays published while its signatures may be valid. */
  state: 'next' | 'signing' | 'retired'
  published: boolean
}

export interface KeyAdmin {
  /** Ordered by use, then oldest first. */
  list(): Promise<KeyView[]>
  /** Adds a key for each use; it signs once clients have had time to fetch it. Adds none while a new key is waiting. */
  rotate(): Promise<{ isNew: boolean; keys: KeyView[] }>
  /** Removes a key and revokes everything that it signed. @throws AdminError `not_found` */
  drop(kid: string): Promise<DroppedKey & { keys: KeyView[] }>
}

export function keyAdmin({ directory, clock }: { directory: Directory; clock: Clock }): KeyAdmin {
  async function list(): Promise<KeyView[]> {
    const keys = await directory.list('signingKey')
    const inOrder = keys.toSorted((a, b) => (a.use === b.use ? a.generation - b.generation : a.use < b.use ? -1 : 1))
    return inOrder.map((key) => toView(key, keys, clock.now()))
  }

  return {
    list,
    async rotate() {
      const rotated = await rotateKeys({ directory, clock })
      return { isNew: rotated.some(({ isNew }) => isNew), keys: await list() }
    },
    async drop(kid) {
      const dropped = await dropKey(kid, { directory, clock })
      if (!dropped)
        throw new AdminError('not_found', `There is no key "${kid}"; to list the keys: posrep-server keys list`)
      return { ...dropped, keys: await list() }
    },
  }
}

function toView(key: SigningKey, keys: SigningKey[], nowMs: number): KeyView {
  const ofSameUse = keys.filter(({ use }) => use === key.use)
  const isSigning = findSigningKey(ofSameUse, nowMs)?.id === key.id
  const isNext = key.signsFromMs > nowMs
  return {
    kid: key.id,
    use: key.use,
    createdAt: toTime(key.createdAtMs),
    signsFrom: toTime(key.signsFromMs),
    state: isSigning ? 'signing' : isNext ? 'next' : 'retired',
    published: findPublishedKeys(keys, nowMs).some(({ id }) => id === key.id),
  }
}
