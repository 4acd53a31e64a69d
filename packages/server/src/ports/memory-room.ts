/**
 * The memory that one buffer of texts may use: less where the heap is small.
 * In: what it uses where there is enough. Out: bytes, or characters, of which an ASCII one takes a byte.
 */
import { getHeapStatistics } from 'node:v8'

/** There are half a dozen such buffers, and each text is copied on its way. */
const share = 1 / 16
/** V8's limit includes the young generation, where nothing stays. */
const youngBytes = 192 * 1024 * 1024
/** A few reports of the largest size. */
const leastBytes = 4 * 1024 * 1024

export function memoryRoom(usualBytes: number): number {
  const oldBytes = getHeapStatistics().heap_size_limit - youngBytes
  return Math.min(usualBytes, Math.max(leastBytes, oldBytes * share))
}
