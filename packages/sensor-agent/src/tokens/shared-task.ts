/**
 * What is asked for twice at once is done once.
 * In: a task. Out: the same task, shared by everyone who asks while it runs. A caller whose signal aborts stops waiting;
 * when the last one has gone, the task is told to stop, and until it has there is no second one.
 */

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
      const outcome = await untilAborted(late, signal)
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
    return await untilAborted(task.result, signal)
  } finally {
    task.waiting -= 1
    if (task.waiting === 0) task.stop.abort()
  }
}

function untilAborted<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return result
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
