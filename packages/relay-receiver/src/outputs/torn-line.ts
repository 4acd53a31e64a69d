/**
 * Removes the line at the end of a file that a crash cut off. It was not acknowledged, so its report comes again.
 * In: an open file of lines. Out: its size, after its last line break.
 */
import type { FileHandle } from 'node:fs/promises'

const chunkBytes = 64 * 1024
const lineBreak = 0x0a

export async function removeTornLine(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat()
  let end = size
  while (end > 0) {
    const from = Math.max(0, end - chunkBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(end - from), 0, end - from, from)
    const at = buffer.subarray(0, bytesRead).lastIndexOf(lineBreak)
    end = at < 0 ? from : from + at + 1
    if (at >= 0) break
  }
  if (end < size) await handle.truncate(end)
  return end
}
