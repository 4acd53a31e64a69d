/** The contract of every `ReportLog` and `DeliveryLog`: tests that each run on a new log. */
import type { Log } from '../ports/storage/log.ts'
import { createFact, type RegisterTest, type Subject } from './contract.ts'
import { boundFacts } from './log-bound-facts.ts'
import { burialFacts } from './log-burial-facts.ts'
import { entryFacts } from './log-entry-facts.ts'
import { leaseFacts } from './log-lease-facts.ts'
import { createManualClock, type ManualClock } from './manual-clock.ts'

export function logContract(
  test: RegisterTest,
  create: (options: { clock: ManualClock }) => Promise<Subject<Log>>,
): void {
  const fact = createFact(test, create, () => ({ clock: createManualClock() }))
  entryFacts(fact)
  boundFacts(fact)
  leaseFacts(fact)
  burialFacts(fact)
}
