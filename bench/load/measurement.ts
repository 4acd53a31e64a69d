/** What a load generator tells. In: how long each request took. Out: counts, percentiles, what the generator itself used. */

export interface Measurement {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Processor time of the load generator over the time that passed: 1 is a whole core. */
  generatorShare: number
}

/** @param delaysMs of each answer */
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

/** In ms; from here on the generator's own processor time is counted. */
export function startMeasuring(): number {
  cpuAtStart = process.cpuUsage()
  return performance.now()
}
