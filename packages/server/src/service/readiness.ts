/** Whether this process takes work: it does once it has started, until it drains, while its store answers. */
import type { Readiness } from '@posrep/spec'
import type { Store } from '../ports/store.ts'

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
        // Which error it is stands in the log; here only that there is one.
        reasons.push('store_unavailable')
      }
      return { status: reasons.length === 0 ? 'ready' : 'not_ready', reasons }
    },
  }
}
