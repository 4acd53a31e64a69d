/**
 * Keeps the positions that the service will never accept in a file, with the service's reason: one JSON object per line.
 * In: refused positions, for example from `onRefused`. Out: the list, and the positions again when they are to be sent again.
 */
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { checkNumber } from '../check-option.ts'
import type { RefusedPosition } from '../delivery/courier.ts'
import { type Clock, systemClock } from '../ports.ts'

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

export function refusedFile(
  file: string,
  { maxBytes = 16 * 1_024 * 1_024, clock = systemClock }: RefusedFileOptions = {},
): RefusedFile {
  checkNumber('maxBytes', maxBytes, 1)
  /** The positions of a resend that did not end. */
  const taken = `${file}.resending`

  return {
    async append(refused) {
      const refusedAt = new Date(clock.now()).toISOString()
      const lines = refused.map((one) => `${JSON.stringify({ refusedAt, ...one } satisfies StoredRefusal)}\n`)
      const text = lines.join('')
      await makeRoom(Buffer.byteLength(text))
      // One write: lines of two processes do not mix.
      await appendFile(file, text, { mode: 0o600, flush: true })
    },
    list,
    async resend(report) {
      await take()
      const all = await readLines(taken)
      for (const { json } of all) await report(json)
      await rm(taken, { force: true })
      return all.length
    },
  }

  async function list(): Promise<StoredRefusal[]> {
    return [...(await readLines(taken)), ...(await readLines(file))]
  }

  /** Moves the lines aside, behind those of a resend that did not end. What is refused from now on goes to a new file. */
  async function take(): Promise<void> {
    const isLeft = await exists(taken)
    if (!isLeft) return rename(file, taken).catch(ignoreMissing)
    const text = await readText(file)
    await appendFile(taken, text, { flush: true })
    await rm(file, { force: true })
  }

  async function makeRoom(bytes: number): Promise<void> {
    const size = await stat(file).then(({ size }) => size, ignoreMissing)
    if (size === undefined || size + bytes <= maxBytes) return
    const text = await readText(file)
    const half = text.indexOf('\n', text.length / 2) + 1
    await writeFile(`${file}.new`, text.slice(half), { mode: 0o600, flush: true })
    await rename(`${file}.new`, file)
  }
}

async function readLines(file: string): Promise<StoredRefusal[]> {
  return (await readText(file))
    .split('\n')
    .map(toRefusal)
    .filter((one) => one !== undefined)
}

function toRefusal(line: string): StoredRefusal | undefined {
  try {
    // Written by append(); a line that a power cut has damaged does not parse, or has no position.
    const value = JSON.parse(line) as Partial<StoredRefusal> | null
    return typeof value?.json === 'string' ? (value as StoredRefusal) : undefined
  } catch {
    // The empty line at the end, or a damaged one.
    return undefined
  }
}

async function readText(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(ignoreMissing)) ?? ''
}

async function exists(file: string): Promise<boolean> {
  return (await stat(file).catch(ignoreMissing)) !== undefined
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
