/**
 * How much memory one of the places may take that hold texts for a while: less where the heap is small.
 * In: what it takes where there is enough. Out: bytes, or characters, of which one takes a byte where they are ASCII.
 */
import { getHeapStatistics } from 'node:v8'

/** There are half a dozen such places, and each text is copied on its way. */
const share = 1 / 16
/** What V8 counts as the limit includes the young generation, where nothing stays. */
const youngBytes = 192 * 1024 * 1024
/** One report of the largest kind, or it could never be taken, and a few more. */
const leastBytes = 4 * 1024 * 1024

export function memoryRoom(usualBytes: number): number {
  const oldBytes = getHeapStatistics().heap_size_limit - youngBytes
  return Math.min(usualBytes, Math.max(leastBytes, oldBytes * share))
}
