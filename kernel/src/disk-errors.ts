/**
 * Tells errors of the file system apart. In: an error. Out: whether it has a code, or says that the disk takes no
 * write.
 */

/**
 * A file or folder cannot be created because the disk takes no write. `mkdir` of several levels says ENOENT on a
 * read-only disk.
 */
export function isCreateError(error: unknown): boolean {
  return isDiskError(error) || isCode(error, 'ENOENT')
}

/** Full, over a quota, or read-only. Such a disk can still be read. */
const diskErrors = ['ENOSPC', 'EDQUOT', 'EROFS']

export function isDiskError(error: unknown): boolean {
  return diskErrors.some((code) => isCode(error, code))
}

export function ignoreDiskError(error: unknown): void {
  if (!isDiskError(error)) throw error
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
