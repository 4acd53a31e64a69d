/**
 * Lets what is asked for in one turn of the event loop share one script, without waiting for scripts that are under way.
 * In: asks, one by one. Out: each one's own answer; where the script fails, all that shared it fail.
 */
interface Asking<A, R> {
  ask: A
  resolve(answer: R): void
  reject(error: unknown): void
}

/** One script keeps everybody else waiting. */
const mostAsks = 200

export function createTurn<A, R>(run: (asks: A[]) => Promise<R[]>): (ask: A) => Promise<R> {
  let asking: Asking<A, R>[] = []

  async function runSome(some: Asking<A, R>[]): Promise<void> {
    try {
      const answers = await run(some.map(({ ask }) => ask))
      if (answers.length !== some.length) throw new Error(`Redis answered ${answers.length} of ${some.length} asks`)
      for (const [place, answer] of answers.entries()) some[place]?.resolve(answer)
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }

  function runAll(): void {
    const together = asking
    asking = []
    for (let first = 0; first < together.length; first += mostAsks) {
      void runSome(together.slice(first, first + mostAsks))
    }
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      asking.push({ ask, resolve, reject })
      // Behind the steps that are due now: devices of lines that were leased together are asked for together.
      if (asking.length === 1) queueMicrotask(runAll)
    })
}
