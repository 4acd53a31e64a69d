/**
 * Lets what many ask for at the same moment be one call of the database.
 * In: asks, one by one. Out: for each the end of the call that did it; where that fails, all that shared it fail.
 */
import { setImmediate } from 'node:timers/promises'

/**
 * For what ends deliveries, in turns of the event loop: the next lease of the device alone waits for it, and what else ends
 * meanwhile shares the commit. Idle, they pass within microseconds.
 */
export const deliveryTurns = 60

/** @param turns For so many turns of the event loop others can join. Default 0: those of the same step. */
export function createTogether<A>(run: (asks: A[]) => Promise<void>, turns = 0): (ask: A) => Promise<void> {
  let asks: A[] = []
  let running: Promise<void> | undefined

  async function runAll(): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    const together = asks
    asks = []
    running = undefined
    return run(together)
  }

  return (ask) => {
    asks.push(ask)
    // Behind the steps that are due now: lines that were leased together come here together.
    running ??= Promise.resolve().then(runAll)
    return running
  }
}
