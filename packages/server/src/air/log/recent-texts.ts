/**
 * Texts of reports that went through the pipeline of this process, for the air picture in the same process: otherwise
 * it reads them from the recent reports.
 * In: texts, by their seq in the report log; they are not copied. Out: the same, as long as there is room; each text
 * once.
 */
import { scaleToHeap } from '../../ports/scale-to-heap.ts'
import type { EntryText } from '../../ports/storage/entry-text.ts'

export interface RecentTexts {
  add(seq: number, text: EntryText): void
  /** Bytes are a copy, for the caller to transfer. */
  take(seq: number): EntryText | undefined
}

const roomBytes = scaleToHeap(16 * 1024 * 1024)

export function createRecentTexts({ maxBytes = roomBytes }: { maxBytes?: number } = {}): RecentTexts {
  const texts = new Map<number, EntryText>()
  let bytes = 0

  function remove(seq: number): EntryText | undefined {
    const text = texts.get(seq)
    if (text === undefined) return undefined
    texts.delete(seq)
    bytes -= text.length
    return text
  }

  function removeOldest(): void {
    for (const seq of texts.keys()) {
      if (bytes <= maxBytes) return
      remove(seq)
    }
  }

  return {
    add(seq, text) {
      remove(seq)
      texts.set(seq, text)
      bytes += text.length
      if (bytes > maxBytes) removeOldest()
    },
    take(seq) {
      const text = remove(seq)
      return typeof text === 'object' ? new Uint8Array(text) : text
    },
  }
}
