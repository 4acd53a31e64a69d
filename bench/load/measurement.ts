/**
 * The result of a load generator. In: the duration of each request. Out: counts, percentiles, the generator's own
 * processor time.
 */

export interface Measurement {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor time of the load generator divided by the elapsed time: 1 is a whole core. */
  generatorShare: number
}

/** @param delaysMs The delay of each answer */
export function toMeasurement(delaysMs: number[], startedAtMs: number): Measurement {
  const elapsedMs = performance.now() - startedAtMs
  const { user, system } = process.cpuUsage(cpuAtStart)
  const sorted = Float64Array.from(delaysMs).sort()
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
  return {
    requests: sorted.length,
    perSecond: (sorted.length * 1_000) / elapsedMs,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    generatorShare: (user + system) / 1_000 / elapsedMs,
  }
}

let cpuAtStart = process.cpuUsage()

/** Starts counting the generator's processor time. Returns the time in ms. */
export function startMeasuring(): number {
  cpuAtStart = process.cpuUsage()
  return performance.now()
}
