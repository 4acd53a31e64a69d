/**
 * Keeps the positions that the service will never accept in a file, with the service's reason: one JSON object per
 * line.
 * In: refused positions, for example from `onRefused`. Out: the list, and the positions again when they are to be sent
 * again. A resend notes each position that was sent, so that one that was killed goes on where it ended.
 */
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { replaceFile } from '@posrep/kernel/replace-file'
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
   * Passes every position to `report`, oldest first, and removes each when its call has resolved. If `report` rejects,
   * or the process ends, that position and those after it stay listed, and the next resend goes on with it. Resolves
   * with the number of positions.
   */
  resend(report: (json: string) => Promise<void>): Promise<number>
}

export function refusedFile(
  file: string,
  { maxBytes = 16 * 1_024 * 1_024, clock = systemClock }: RefusedFileOptions = {},
): RefusedFile {
  checkNumber('maxBytes', maxBytes, 1)
  /**
   * A resend works on such a file, so that what is refused meanwhile goes to a new one. After a kill there can be
   * several.
   */
  const takenPrefix = `${basename(file)}.resending-`

  return {
    async append(refused) {
      const refusedAt = new Date(clock.now()).toISOString()
      const lines = refused.map((one) => `${JSON.stringify({ refusedAt, ...one } satisfies StoredRefusal)}\n`)
      const text = lines.join('')
      await makeRoom(Buffer.byteLength(text))
      await appendText(file, text)
    },

    async list() {
      const paths = [...(await findTaken()), file]
      return (await Promise.all(paths.map(readUnsent))).flatMap(({ unsent }) => unsent)
    },

    async resend(report) {
      const earlier = await findTaken()
      const last = Number(earlier.at(-1)?.slice(-8) ?? 0)
      await rename(file, `${join(dirname(file), takenPrefix)}${String(last + 1).padStart(8, '0')}`).catch(ignoreMissing)
      let count = 0
      for (const path of await findTaken()) {
        // Read until nothing is left: an agent may have been writing to the file when it was renamed.
        for (let found = await readUnsent(path); found.unsent.length > 0; found = await readUnsent(path)) {
          for (const [index, { json }] of found.unsent.entries()) {
            await report(json)
            await appendText(path, `${JSON.stringify({ resent: found.resent + index + 1 } satisfies ResendNote)}\n`)
            count += 1
          }
        }
        await rm(path, { force: true })
      }
      return count
    },
  }

  /** Oldest first. */
  async function findTaken(): Promise<string[]> {
    const names = (await readdir(dirname(file)).catch(ignoreMissing)) ?? []
    const taken = names.filter((name) => name.startsWith(takenPrefix)).toSorted()
    return taken.map((name) => join(dirname(file), name))
  }

  async function makeRoom(bytes: number): Promise<void> {
    const size = await stat(file).then(({ size }) => size, ignoreMissing)
    if (size === undefined || size + bytes <= maxBytes) return
    const text = await readText(file)
    const half = text.indexOf('\n', text.length / 2) + 1
    await replaceFile(file, text.slice(half))
  }
}

/** A line of a file that is being sent again: so many of its positions have been sent. */
interface ResendNote {
  resent: number
}

async function readUnsent(file: string): Promise<{ unsent: StoredRefusal[]; resent: number }> {
  const all: StoredRefusal[] = []
  let resent = 0
  for (const line of (await readText(file)).split('\n')) {
    const found = toLine(line)
    if (typeof found?.json === 'string') all.push(found as StoredRefusal)
    else resent = found?.resent ?? resent
  }
  return { unsent: all.slice(resent), resent }
}

/** The members that a line has; `undefined` for one that a power cut has damaged. */
function toLine(line: string): Partial<StoredRefusal & ResendNote> | undefined {
  try {
    // Written by append() or resend().
    return JSON.parse(line) as Partial<StoredRefusal & ResendNote>
  } catch {
    // The empty line at the end, or a damaged one.
    return undefined
  }
}

/** In one write, so that lines of two processes do not mix; a line that a power cut has damaged is ended first. */
async function appendText(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const { buffer } = size > 0 ? await handle.read(Buffer.alloc(1), 0, 1, size - 1) : { buffer: Buffer.from('\n') }
    await handle.appendFile(buffer[0] === 0x0a ? text : `\n${text}`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

async function readText(file: string): Promise<string> {
  return (await readFile(file, 'utf8').catch(ignoreMissing)) ?? ''
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
