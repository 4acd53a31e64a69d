/**
 * Which partitions of a log to ask for queues to lease, so that an idle process need not ask all of them again and
 * again. A partition is due at the time from which its next queue is ready, as it said when it was last asked; at once
 * after an append, a settlement, or the message of another process; and now and then, in case such a message was lost,
 * or the process that appended has ended.
 */
import type { Clock } from '../../../ports/clock.ts'

export interface DuePartitions {
  /** The partitions that are due, those that were due first come first. Not those that are being asked. */
  find(): number[]
  /** Something may be ready to lease from this time on. */
  expect(partition: number, atMs: number): void
  /** Call it when the partition is asked. */
  begin(partition: number): void
  /** Call it with its answer: when its next queue is ready, or undefined if there is none. */
  end(partition: number, nextReadyAtMs: number | undefined): void
}

const roundEveryMs = 250
/** Asked in each round, beside those that are due. So 64 partitions are all asked within 4 s. */
const perRound = 4

export function createDuePartitions(count: number, clock: Clock): DuePartitions {
  const dueAtMs: number[] = Array.from({ length: count }, () => Number.POSITIVE_INFINITY)
  const asked = new Set<number>()
  let roundAtMs = 0
  let next = 0

  function expect(partition: number, atMs: number): void {
    dueAtMs[partition] = Math.min(atMs, dueAtMs[partition] ?? Number.POSITIVE_INFINITY)
  }

  return {
    expect,
    find() {
      const now = clock.now()
      if (now - roundAtMs >= roundEveryMs) {
        roundAtMs = now
        for (let n = 0; n < perRound; n++) expect(next++ % count, now)
      }
      const due: number[] = []
      for (const [partition, atMs] of dueAtMs.entries()) if (atMs <= now && !asked.has(partition)) due.push(partition)
      return due.sort((a, b) => (dueAtMs[a] ?? 0) - (dueAtMs[b] ?? 0))
    },
    begin(partition) {
      asked.add(partition)
      dueAtMs[partition] = Number.POSITIVE_INFINITY
    },
    end(partition, nextReadyAtMs = Number.POSITIVE_INFINITY) {
      asked.delete(partition)
      expect(partition, nextReadyAtMs)
    },
  }
}
