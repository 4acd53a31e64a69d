/**
 * Readiness of the process: ready from the end of the start until the drain, while the store answers. Of a storage on
 * several nodes, the service's own records and one partition suffice.
 */
import type { Readiness } from '@posrep/spec'
import type { FindPartsAway } from '../ports/storage/storage-parts.ts'
import type { Store } from '../ports/storage/store.ts'

export interface ReadinessState {
  started(): void
  draining(): void
  check(): Promise<Readiness>
}

export interface ReadinessOptions {
  store: Store
  /** Default: the storage has no parts. */
  findPartsAway?: FindPartsAway | undefined
}

export function createReadiness({ store, findPartsAway }: ReadinessOptions): ReadinessState {
  let phase: 'starting' | 'serving' | 'draining' = 'starting'
  return {
    started: () => void (phase = 'serving'),
    draining: () => void (phase = 'draining'),
    async check() {
      const reasons: string[] = phase === 'serving' ? [] : [phase]
      reasons.push(...(await (findPartsAway ? findMissing(findPartsAway) : checkStore(store))))
      return { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons }
    },
  }
}

async function checkStore(store: Store): Promise<string[]> {
  try {
    await store.get('readiness')
    return []
  } catch {
    // The adapter logs the error; the answer only says that there is one.
    return ['store_unavailable']
  }
}

async function findMissing(findPartsAway: FindPartsAway): Promise<string[]> {
  const { service, partitions, of } = await findPartsAway()
  const missing = [...(service ? ['service_part_away'] : []), ...(partitions === of ? ['all_partitions_away'] : [])]
  return missing.length === 0 ? [] : ['store_unavailable', ...missing]
}
