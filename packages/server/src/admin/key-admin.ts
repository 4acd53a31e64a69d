/** The signing keys of the deployment, as an operator works on them. Private halves never leave the storage. */
import { type DroppedKey, dropKey } from '../identity/drop-key.ts'
import { findPublishedKeys, findSigningKey } from '../identity/key-schedule.ts'
import { rotateKeys } from '../identity/keys.ts'
import type { Clock } from '../ports/clock.ts'
import type { Directory, SigningKey } from '../ports/directory.ts'
import { AdminError } from './admin-error.ts'
import { toTime } from './views.ts'

export interface KeyView {
  kid: string
  use: SigningKey['use']
  createdAt: string
  /** From when on it signs. */
  signsFrom: string
  /** `next`: published, and signs later. `retired`: signs no more; `published` while what it signed may be valid. */
  state: 'next' | 'signing' | 'retired'
  published: boolean
}

export interface KeyAdmin {
  /** By use, the oldest first. */
  list(): Promise<KeyView[]>
  /** Adds a key for each use, which signs once everybody can know it; while one waits, it is left at that. */
  rotate(): Promise<{ isNew: boolean; keys: KeyView[] }>
  /** Ends a key and all that it has signed. @throws AdminError when there is none of this id. */
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
      if (!dropped) throw new AdminError('not_found', `There is no key "${kid}"; to see them: posrep-server keys list`)
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
