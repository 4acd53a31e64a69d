/**
 * Stores the snapshots of air pictures.
 * In: a snapshot in parts, by the process that holds the picture. Out: the same, for the process that holds it next.
 * A head per account names the latest snapshot and its holder. The head is replaced only if it is still the one that
 * the holder knows, so a process that has lost its lease cannot overwrite a newer snapshot.
 */
import { randomUUID } from 'node:crypto'
import type { Store } from '../../ports/storage/store.ts'

export interface SnapshotHead {
  /** The process that holds the picture. */
  holder: string
  /** Changes with each snapshot; '' when there is none. */
  version: string
  parts: number
  /** The snapshot covers the entries of the `AirLog` up to this seq. */
  seq: number
}

export interface AirSnapshots {
  find(accountId: string): Promise<SnapshotHead | undefined>
  /** Undefined when another process was first. */
  takeOver(accountId: string, before: SnapshotHead | undefined): Promise<SnapshotHead | undefined>
  /** Undefined, and nothing is changed, when another process holds the picture now. */
  save(
    accountId: string,
    before: SnapshotHead,
    snapshot: { parts: readonly string[]; seq: number },
  ): Promise<SnapshotHead | undefined>
  /** The parts of the snapshot; none if there is none any more. */
  read(accountId: string, head: SnapshotHead): Promise<string[]>
}

/** A picture in which nothing happens for this time begins again empty. */
const keepMs = 24 * 60 * 60_000

export function createAirSnapshots({ store, holder = randomUUID() }: { store: Store; holder?: string }): AirSnapshots {
  async function replace(accountId: string, before: SnapshotHead | undefined, next: SnapshotHead) {
    return (await store.replace(toHeadKey(accountId), before, next, keepMs)) ? next : undefined
  }

  async function remove(accountId: string, { version, parts }: SnapshotHead): Promise<void> {
    for (let part = 0; part < parts; part++) await store.delete(toPartKey(accountId, version, part))
  }

  return {
    find: (accountId) => store.get<SnapshotHead>(toHeadKey(accountId)),
    takeOver: (accountId, before) =>
      replace(accountId, before, { ...(before ?? { version: '', parts: 0, seq: 0 }), holder }),
    async save(accountId, before, { parts, seq }) {
      const next = { holder, version: randomUUID(), parts: parts.length, seq }
      // One after another, because each takes the store some time.
      for (const [part, text] of parts.entries())
        await store.put(toPartKey(accountId, next.version, part), text, keepMs)
      const saved = await replace(accountId, before, next)
      await remove(accountId, saved ? before : next)
      return saved
    },
    async read(accountId, { version, parts }) {
      const texts: string[] = []
      for (let part = 0; part < parts; part++) {
        const text = await store.get<string>(toPartKey(accountId, version, part))
        if (text === undefined) return []
        texts.push(text)
      }
      return texts
    },
  }
}

function toHeadKey(accountId: string): string {
  return `air:${accountId}`
}

function toPartKey(accountId: string, version: string, part: number): string {
  return `air:${accountId}:${version}:${part}`
}
