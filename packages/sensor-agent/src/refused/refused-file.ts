/**
 * Keeps the positions that the service will never accept in a file, with the service's reason: one JSON object per line.
 * In: refused positions, for example from `onRefused`. Out: the list, and the positions again when they are to be sent again.
 */
import type { RefusedPosition } from '../courier.ts'
import type { Clock } from '../ports.ts'

export interface RefusedFileOptions {
  /** Limit of the file, in bytes. The older half of the file is removed when it is reached. Default 16 MiB. */
  maxBytes?: number
  clock?: Clock
}

export interface StoredRefusal extends RefusedPosition {
  /** RFC 3339, UTC. */
  refusedAt: string
}

export interface RefusedFile {
  /** Pass it as `onRefused`. Resolves after the positions are stored. */
  append(refused: readonly RefusedPosition[]): Promise<void>
  /** Oldest first. Lines that cannot be read are left out. */
  list(): Promise<StoredRefusal[]>
  /**
   * Passes every position to `report`, oldest first, and removes the positions from the file when all were passed. If `report`
   * rejects, or the process ends before that, all of them stay listed. Resolves with their number.
   */
  resend(report: (json: string) => Promise<void>): Promise<number>
}

export function refusedFile(_file: string, _options: RefusedFileOptions = {}): RefusedFile {
  throw new Error('refusedFile() is written next; this commit has its interface')
}
