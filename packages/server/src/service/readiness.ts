/** Readiness of the process: ready from the end of the start until the drain, while the store answers. */
import type { Readiness } from '@posrep/spec'
import type { Store } from '../ports/storage/store.ts'

export interface ReadinessState {
  started(): void
  draining(): void
  check(): Promise<Readiness>
}

export function createReadiness({ store }: { store: Store }): ReadinessState {
  let phase: 'starting' | 'serving' | 'draining' = 'starting'
  return {
    started: () => void (phase = 'serving'),
    draining: () => void (phase = 'draining'),
    async check() {
      const reasons: string[] = phase === 'serving' ? [] : [phase]
      try {
        await store.get('readiness')
      } catch {
        // The adapter logs the error; the answer only says that there is one.
        reasons.push('store_unavailable')
      }
      return { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons }
    },
  }
}
