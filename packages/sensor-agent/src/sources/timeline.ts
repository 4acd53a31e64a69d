/**
 * Holds the times of a receiver against the reception, and against its own times before.
 * In: the time that an input states, if any, and when it was received. Out: the time to use, and whether it is this
 * machine's. A receiver whose clock is ahead is believed, because its times go on; one that is ahead of the reception
 * and of the inputs before is not, until its times stay there: then its clock was set.
 * A time before 2000 is that of a clock that was never set.
 */
import { earliestMs } from './fields.ts'

export interface Timeline {
  /**
   * `receivedAtMs` is undefined for a recording, whose times cannot be held against anything. Undefined: there is no
   * time at all.
   */
  judge(
    statedMs: number | undefined,
    receivedAtMs: number | undefined,
  ): { atMs: number; isAgentTime: boolean } | undefined
}

const maxAheadMs = 60_000
/** Inputs that are ahead by as much, one after the other, show that the clock of the receiver was set. */
const believedAfter = 3

export function createTimeline(): Timeline {
  /** How far the receiver's times are ahead of the reception. */
  let usualAheadMs = 0
  let odd = { aheadMs: 0, count: 0 }

  return {
    judge(statedMs, receivedAtMs) {
      if (receivedAtMs === undefined) return statedMs === undefined ? undefined : { atMs: statedMs, isAgentTime: false }
      if (statedMs === undefined || statedMs < earliestMs) return { atMs: receivedAtMs, isAgentTime: true }
      const aheadMs = statedMs - receivedAtMs
      if (aheadMs <= maxAheadMs || aheadMs - usualAheadMs <= maxAheadMs) {
        usualAheadMs = aheadMs
        odd = { aheadMs: 0, count: 0 }
        return { atMs: statedMs, isAgentTime: false }
      }
      const isSteady = Math.abs(aheadMs - odd.aheadMs) <= maxAheadMs
      odd = { aheadMs, count: isSteady ? odd.count + 1 : 1 }
      if (odd.count >= believedAfter) usualAheadMs = aheadMs
      return { atMs: receivedAtMs, isAgentTime: true }
    },
  }
}
