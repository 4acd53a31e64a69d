/**
 * The starts of the whole minutes of the last hour, in ms. The minute that runs is left out: its figures still grow.
 */
export function lastMinutes(nowMs: number): number[] {
  const last = Math.floor(nowMs / minuteMs) - 1
  return Array.from({ length: minutes }, (_, index) => (last - minutes + 1 + index) * minuteMs)
}

const minuteMs = 60_000
const minutes = 60
