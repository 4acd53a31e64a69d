/**
 * Decides which failures of the database must end the process.
 * After a failed read, write or fsync the state of the disk is unknown: the kernel may drop the pages and report
 * success the next time. Only a new process that reads the file again can find out. A full disk or a lock is not such a
 * failure.
 */
const busy = 5
const ioError = 10
const corrupt = 11
const notADatabase = 26
/** I/O errors caused by a lack of memory or disk space, or by a lock of another process. */
const harmless = new Set([
  ioError + 256 * 12, // out of memory
  ioError + 256 * 15, // a lock
  ioError + 256 * 19, // no space for the shared-memory file
])

export function isFatal(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const code = Number(error.errcode)
  const kind = code & 255
  return (kind === ioError && !harmless.has(code)) || kind === corrupt || kind === notADatabase
}

/** Whether another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 255) === busy
}
