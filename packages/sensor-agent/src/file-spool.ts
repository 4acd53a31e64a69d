/** What the agent keeps in files: positions that wait, and positions that the service refused. */

export type { RefusedFile, RefusedFileOptions, StoredRefusal } from './refused/refused-file.ts'
export { refusedFile } from './refused/refused-file.ts'
export type { FileSpool, FileSpoolMetrics, FileSpoolOptions, SpoolRecovery } from './spool/files/file-spool.ts'
export { fileSpool } from './spool/files/file-spool.ts'
