/** Runs tasks of this process one after another. */
export type Mutex = <T>(task: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const run = last.then(task)
    // The next task starts however this one ends; this task's caller handles its error.
    last = run.catch(() => {})
    return run
  }
}
