/**
 * Limits how many tasks of one key run at once; further tasks wait, by rank and then in the order of their arrival.
 * In: tasks, each with its key. Out: each task's own result, or ApiError `too_many_requests` when too many tasks wait.
 * A rank is fixed when the task comes, and the last one can be refused. Where the right to a turn depends on what is in
 * use when one is free, see `fair-queue.ts`.
 */
import { ApiError } from '../errors.ts'

export interface LimitOptions {
  /** Limit of running tasks per key. Default 1. */
  maxRunning?: number
  /** Limit of waiting tasks per key; of more, the one that would start last is refused. Default: none. */
  maxWaiting?: number
}

/**
 * Runs a task when its key has room.
 * @param rank A task of a lower rank starts first, and is not refused for one of a higher rank. Default 0.
 * @throws ApiError `too_many_requests`
 */
export type Limit = <T>(key: string, task: () => Promise<T>, rank?: number) => Promise<T>

interface Tasks {
  running: number
  /** In the order in which they will start. */
  waiting: WaitingTask[]
}

interface WaitingTask {
  rank: number
  start(): void
  refuse(error: ApiError): void
}

export function createLimit({ maxRunning = 1, maxWaiting = Number.POSITIVE_INFINITY }: LimitOptions = {}): Limit {
  const tasksByKey = new Map<string, Tasks>()

  async function begin(tasks: Tasks, rank: number): Promise<void> {
    if (tasks.running < maxRunning) {
      tasks.running++
      return
    }
    const { waiting } = tasks
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<void>()
    const next = waiting.findIndex((other) => other.rank > rank)
    waiting.splice(next === -1 ? waiting.length : next, 0, { rank, start, refuse })
    if (waiting.length > maxWaiting) waiting.pop()?.refuse(tooMany())
    await promise
  }

  /** Starts the next waiting task in place of the one that ended. */
  function end(key: string, tasks: Tasks): void {
    const next = tasks.waiting.shift()
    if (next) next.start()
    else if (--tasks.running === 0) tasksByKey.delete(key)
  }

  return async (key, task, rank = 0) => {
    const tasks = tasksByKey.get(key) ?? { running: 0, waiting: [] }
    tasksByKey.set(key, tasks)
    await begin(tasks, rank)
    try {
      return await task()
    } finally {
      end(key, tasks)
    }
  }
}

function tooMany(): ApiError {
  return new ApiError('too_many_requests', 'Too many requests at once; try again', { headers: { 'Retry-After': '5' } })
}
