/**
 * The attacks of the soak with a hostile account. Each runs in a thread of its own, so that it does not delay the good account's
 * requests in this process. All of them use the public HTTP interface only.
 * In: `workerData`, and any message to stop. Out: 'started', then the number of answers per kind of request and status.
 */
import { parentPort, workerData } from 'node:worker_threads'
import type { Ready } from '../server-process.ts'
import { trust } from '../trust.ts'
import { newTargets } from './attacks/new-targets.ts'
import { counts } from './attacks/requests.ts'
import { signInFlood } from './attacks/sign-in.ts'
import { slowRelays } from './attacks/slow-relays.ts'
import { storedReports } from './attacks/stored-reports.ts'

export interface AttackData {
  attack: AttackName
  ready: Ready
  certificate: { cert: string; key: string; ca: string }
  /** The good account's relay, which also answers the hostile devices, slowly. */
  sharedUrl: string
}

/** Prepares the attack; then calls `started`, and attacks until `stopping` aborts. */
export type Attack = (data: AttackData, started: () => void, stopping: AbortSignal) => Promise<void>

export type AttackName = 'stored-reports' | 'sign-in' | 'slow-relays' | 'new-targets'

const attacks: Record<AttackName, Attack> = {
  'stored-reports': storedReports,
  'sign-in': signInFlood,
  'slow-relays': slowRelays,
  'new-targets': newTargets,
}

if (parentPort) {
  const port = parentPort
  const data: AttackData = workerData
  const stopping = new AbortController()
  trust(data.certificate.ca)
  port.once('message', () => {
    stopping.abort()
    port.postMessage(counts)
    // The requests in flight are not awaited: the server may have ended.
    process.exit(0)
  })
  await attacks[data.attack](data, () => port.postMessage('started'), stopping.signal)
}
