/**
 * Runs the task of one ID once.
 * In: an ID and a task. Out: the outcome of the first call. A repeated call waits while the first one runs, and resolves at once
 * after it succeeded. A failed task is not remembered, so the next call runs again.
 */
export type Once = (id: string | undefined, task: () => Promise<void>) => Promise<void>

/** Remembers the last `capacity` IDs. With 0 every call runs its task, even when another call with the same ID is running. */
export function createOnce(capacity: number): Once {
  const done = new Set<string>()
  const running = new Map<string, Promise<void>>()

  return (id, task) => {
    if (id === undefined || capacity === 0) return task()
    if (done.has(id)) return Promise.resolve()
    const first = running.get(id)
    if (first) return first
    const run = task()
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
