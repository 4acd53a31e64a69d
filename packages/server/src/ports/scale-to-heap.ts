/**
 * Limits the memory of one buffer of texts. The limit is lower where the heap is small.
 * In: the limit where memory is sufficient. Out: the limit in bytes, or in characters (an ASCII character takes one
 * byte).
 */
import { getHeapStatistics } from 'node:v8'

/** It is for one buffer: there are about six, and texts are copied while they are processed. */
const share = 1 / 16
/** V8's limit includes the young generation, which holds only short-lived objects. */
const youngBytes = 192 * 1024 * 1024
/** Enough for a few reports of the largest size. */
const leastBytes = 4 * 1024 * 1024

export function scaleToHeap(usualBytes: number): number {
  const oldBytes = getHeapStatistics().heap_size_limit - youngBytes
  return Math.min(usualBytes, Math.max(leastBytes, oldBytes * share))
}
