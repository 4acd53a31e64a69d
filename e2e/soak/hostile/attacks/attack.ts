/** What an attack gets, and what it does. */
import type { Ready } from '../../../parts/server-process.ts'

export interface AttackData {
  attack: AttackName
  ready: Ready
  certificate: { cert: string; key: string; ca: string }
  /** The good account's relay, which also answers the hostile devices, slowly. */
  sharedUrl: string
}

/** Prepares the attack; then calls `started`, and attacks until `stopping` aborts. */
export type Attack = (data: AttackData, started: () => void, stopping: AbortSignal) => Promise<void>

export type AttackName =
  | 'stored-reports'
  | 'sign-in'
  | 'slow-relays'
  | 'new-targets'
  | 'unread-answers'
  | 'costly-calls'
  | 'slow-writers'
  | 'stored-forms'
