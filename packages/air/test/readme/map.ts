import type { Tracker } from '@posrep/air'
import { type AirMap, type FollowOptions, mountAirMap } from '@posrep/air/map'

/** @param passSecond Gives reports to the tracker, calls `advance`, and resolves a second later. */
export function showTracker(element: HTMLElement, tracker: Tracker, passSecond: () => Promise<void>): AirMap {
  async function* follow({ signal }: FollowOptions) {
    yield tracker.whole()
    while (!signal.aborted) {
      await passSecond()
      const changes = tracker.takeChanges()
      if (changes) yield changes
    }
  }
  return mountAirMap(element, { follow })
}
