/** Measures the resident memory of a process. In: its id. Out: bytes, and the growth over a run. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** A server whose threads have heaps of 256 MB stays below this; the air picture has a thread of its own. */
export const mostMemoryBytes = 1.25 * 1024 ** 3

export interface Sample {
  /** Progress of the run. */
  at: number
  bytes: number
}

export async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout.trim()) * 1024
}

export interface Growth {
  /** Medians of the first and the last third, after the warm-up. */
  firstBytes: number
  lastBytes: number
  /** Relative growth: 0.1 means a tenth more at the end. */
  share: number
}

/** @param warmUp Samples before this progress are ignored. */
export function growthOf(samples: Sample[], warmUp: number): Growth {
  const counted = samples.filter(({ at }) => at >= warmUp).map(({ bytes }) => bytes)
  if (counted.length < 6) throw new RangeError(`Six samples after the warm-up are needed, there are ${counted.length}`)
  const third = Math.floor(counted.length / 3)
  const [firstBytes, lastBytes] = [median(counted.slice(0, third)), median(counted.slice(-third))]
  return { firstBytes, lastBytes, share: lastBytes / firstBytes - 1 }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
