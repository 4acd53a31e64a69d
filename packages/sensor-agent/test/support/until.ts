/** Waits for work of other threads, such as files and sockets, that a manual clock does not advance. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Rejects after 10 s. */
export async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 10_000
  while (!(await isDone())) {
    if (performance.now() > endMs) throw new Error('it did not happen within 10 s')
    await sleep(1)
  }
}
