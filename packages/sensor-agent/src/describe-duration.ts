/** A duration for people, in the unit that fits: `3.4 s`, `7 min`, `2.0 h`, `8 days`. */
export function describeDuration(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (ms < 120_000) return `${(ms / 1_000).toFixed(1)} s`
  if (minutes < 120) return `${minutes} min`
  return minutes < 48 * 60 ? `${(minutes / 60).toFixed(1)} h` : `${Math.round(minutes / 1_440)} days`
}
