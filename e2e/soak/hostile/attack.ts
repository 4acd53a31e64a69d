/**
 * The attacks of the soak with a hostile account. Each runs in a thread of its own, so that it does not delay the good
 * account's requests in this process. All of them use the public HTTP interface only.
 * In: `workerData`, and any message to stop. Out: 'started', 'accepted' with the first accepted request, then the
 * number of answers per kind of request and status.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { trust } from '../../parts/trust.ts'
import type { Attack, AttackData, AttackName } from './attacks/attack.ts'
import { costlyCalls } from './attacks/costly-calls.ts'
import { newTargets } from './attacks/new-targets.ts'
import { accepted, counts } from './attacks/requests.ts'
import { signInFlood } from './attacks/sign-in.ts'
import { slowRelays } from './attacks/slow-relays.ts'
import { slowWriters } from './attacks/slow-writers.ts'
import { storedForms } from './attacks/stored-forms.ts'
import { storedReports } from './attacks/stored-reports.ts'
import { unreadAnswers } from './attacks/unread-answers.ts'

const attacks: Record<AttackName, Attack> = {
  'stored-reports': storedReports,
  'sign-in': signInFlood,
  'slow-relays': slowRelays,
  'new-targets': newTargets,
  'unread-answers': unreadAnswers,
  'costly-calls': costlyCalls,
  'slow-writers': slowWriters,
  'stored-forms': storedForms,
}

if (parentPort) {
  const port = parentPort
  const data: AttackData = workerData
  const stopping = new AbortController()
  trust(data.certificate.ca)
  void accepted.promise.then(() => port.postMessage('accepted'))
  port.once('message', () => {
    stopping.abort()
    // The receiver then ends this thread: the server may have ended, and requests in flight are not awaited.
    port.postMessage(counts)
  })
  await attacks[data.attack](data, () => port.postMessage('started'), stopping.signal)
}
