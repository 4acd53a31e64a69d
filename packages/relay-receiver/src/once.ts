/**
 * Does the work of one ID once.
 * In: an ID and the work. Out: the outcome of the first; a repetition waits for it while it runs, and is done at once after it.
 * Failed work is not remembered, so the next repetition tries again.
 */
export type Once = (id: string | undefined, work: () => Promise<void>) => Promise<void>

/** Remembers the last `capacity` IDs; 0 remembers none, and then even simultaneous repetitions each do the work. */
export function createOnce(capacity: number): Once {
  const done = new Set<string>()
  const running = new Map<string, Promise<void>>()

  return (id, work) => {
    if (id === undefined || capacity === 0) return work()
    if (done.has(id)) return Promise.resolve()
    const first = running.get(id)
    if (first) return first
    const run = work()
      .then(() => remember(id))
      .finally(() => running.delete(id))
    running.set(id, run)
    return run
  }

  function remember(id: string): void {
    done.add(id)
    for (const oldest of done) {
      if (done.size <= capacity) return
      done.delete(oldest)
    }
  }
}
