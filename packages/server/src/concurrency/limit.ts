/**
 * Limits how many tasks of one key run at once; further tasks wait in the order of their arrival.
 * In: tasks, each with its key. Out: each task's own result, or ApiError `too_many_requests` when too many tasks wait.
 */
import { ApiError } from '../errors.ts'

export interface LimitOptions {
  /** Limit of running tasks per key. Default 1. */
  maxRunning?: number
  /** Limit of waiting tasks per key; further ones are refused. Default: none. */
  maxWaiting?: number
}

/** Runs a task when its key has room. @throws ApiError `too_many_requests` */
export type Limit = <T>(key: string, task: () => Promise<T>) => Promise<T>

interface Tasks {
  running: number
  /** Each function starts a waiting task. */
  waiting: (() => void)[]
}

export function createLimit({ maxRunning = 1, maxWaiting = Number.POSITIVE_INFINITY }: LimitOptions = {}): Limit {
  const tasksByKey = new Map<string, Tasks>()

  async function begin(tasks: Tasks): Promise<void> {
    if (tasks.running < maxRunning) {
      tasks.running++
      return
    }
    if (tasks.waiting.length >= maxWaiting) {
      throw new ApiError('too_many_requests', 'Too many requests at once; try again', {
        headers: { 'Retry-After': '5' },
      })
    }
    await new Promise<void>((start) => tasks.waiting.push(start))
  }

  /** Starts the next waiting task in place of the one that ended. */
  function end(key: string, tasks: Tasks): void {
    const start = tasks.waiting.shift()
    if (start) start()
    else if (--tasks.running === 0) tasksByKey.delete(key)
  }

  return async (key, task) => {
    const tasks = tasksByKey.get(key) ?? { running: 0, waiting: [] }
    tasksByKey.set(key, tasks)
    await begin(tasks)
    try {
      return await task()
    } finally {
      end(key, tasks)
    }
  }
}
