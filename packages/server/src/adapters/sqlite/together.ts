/**
 * Lets what many ask for at the same moment be one call of the database.
 * In: asks, one by one. Out: for each the end of the call that did it; where that fails, all that shared it fail.
 */
export function createTogether<A>(run: (asks: A[]) => Promise<void>): (ask: A) => Promise<void> {
  let asks: A[] = []
  let running: Promise<void> | undefined

  function runAll(): Promise<void> {
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
