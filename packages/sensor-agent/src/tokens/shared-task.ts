/**
 * Shares one run of a task between concurrent callers.
 * In: a task. Out: a function that starts the task, or joins the run in progress. A caller whose signal aborts stops
 * waiting. When no caller waits any more, the run is aborted; a new run starts only after the aborted one has ended.
 */
import { abortable } from '@posrep/kernel/abortable'

export function createSharedTask<T>(run: (signal: AbortSignal) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let running: Task<T> | undefined

  return async (signal) => {
    for (;;) {
      signal?.throwIfAborted()
      running ??= start()
      const task = running
      if (!task.stop.signal.aborted) return join(task, signal)
      const late = task.result.then(
        (value) => ({ value }),
        () => undefined,
      )
      const outcome = await (signal ? abortable(late, signal) : late)
      if (outcome) return outcome.value
    }
  }

  function start(): Task<T> {
    const stop = new AbortController()
    const result = run(stop.signal).finally(() => {
      running = undefined
    })
    return { result, waiting: 0, stop }
  }
}

interface Task<T> {
  result: Promise<T>
  waiting: number
  stop: AbortController
}

async function join<T>(task: Task<T>, signal: AbortSignal | undefined): Promise<T> {
  task.waiting += 1
  try {
    return await (signal ? abortable(task.result, signal) : task.result)
  } finally {
    task.waiting -= 1
    if (task.waiting === 0) task.stop.abort()
  }
}
