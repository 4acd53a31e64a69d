/**
 * What kind of failure the database had, above all which are the end of the process.
 * After a failed read, write or fsync nobody knows what the disk has: the kernel may drop the pages and say that all is
 * well the next time. Only reading the file anew, in a new process, tells. A full disk is no such failure, nor is a lock.
 */
const busy = 5
const ioError = 10
const corrupt = 11
const notADatabase = 26
/** Kinds of I/O errors that say that there is no room, or that a lock was not to be had. */
const harmless = new Set([
  ioError + 256 * 12, // out of memory
  ioError + 256 * 15, // a lock
  ioError + 256 * 19, // no room for the file of shared memory
])

export function isFatal(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false
  const code = Number(error.errcode)
  const kind = code & 255
  return (kind === ioError && !harmless.has(code)) || kind === corrupt || kind === notADatabase
}

/** Somebody else holds the file. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 255) === busy
}
