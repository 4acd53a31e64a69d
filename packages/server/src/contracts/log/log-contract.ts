/** The contract of every `ReportLog` and `DeliveryLog`: tests that each run on a new log. */
import type { Log } from '../../ports/storage/log.ts'
import { createFact, type RegisterTest, type Subject } from '../contract.ts'
import { createManualClock, type ManualClock } from '../manual-clock.ts'
import { boundFacts } from './bound-facts.ts'
import { burialFacts } from './burial-facts.ts'
import { entryFacts } from './entry-facts.ts'
import { leaseFacts } from './lease-facts.ts'

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
