/** Tells errors of the file system apart. In: an error. Out: whether it has a code, or says that the disk takes no write. */

/** Full, over a quota, or read-only. Such a disk can still be read. */
const diskErrors = ['ENOSPC', 'EDQUOT', 'EROFS']

export function isDiskError(error: unknown): boolean {
  return diskErrors.some((code) => isCode(error, code))
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
