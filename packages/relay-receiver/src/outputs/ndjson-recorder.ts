/**
 * Appends reports to a file, one JSON object per line, and rotates the file by size. For Node.js.
 * In: reports of relay messages. Out: lines that are on disk when `record` resolves, so a report is acknowledged only
 * then.
 */
import type { FileHandle } from 'node:fs/promises'
import { open, rename } from 'node:fs/promises'
import type { PositionReport } from '@posrep/spec'
import { type Clock, systemClock } from '../ports.ts'
import type { Delivery } from '../request/delivery.ts'
import { removeTornLine } from './torn-line.ts'

export interface NdjsonRecorderOptions {
  /** The file that is written. Full ones are `<file>.1`, the newest, `<file>.2` and so on. Its folder must exist. */
  file: string
  /** Size at which a file is full, in bytes. A report that is larger gets a file of its own. Default 100 MiB. */
  maxBytes?: number
  /** Number of files, with the one that is written; at least 1. Beyond it the oldest is replaced. Default 10. */
  maxFiles?: number
  /** Default: the system clock. */
  clock?: Clock
}

/** One line of the file. */
export interface RecordedReport {
  receivedAt: string
  id: string | undefined
  device: string | undefined
  report: PositionReport
}

export interface NdjsonRecorder {
  /**
   * Call it in `onReport`, or pass it as `onReport`. Rejects when the line cannot be written, so that the service sends
   * the report again.
   */
  record(this: void, report: PositionReport, delivery: Pick<Delivery, 'id' | 'device'>): Promise<void>
  /** Resolves when all lines are written. */
  close(): Promise<void>
}

/**
 * Only one recorder may write to a file.
 *
 * @example
 * ```ts
 * import { relayReceiver } from '@posrep/relay-receiver'
 * import { ndjsonRecorder } from '@posrep/relay-receiver/ndjson-recorder'
 *
 * const recorder = ndjsonRecorder({ file: 'reports.ndjson' })
 * export const receiver = relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   onReport: recorder.record,
 * })
 * ```
 */
export function ndjsonRecorder({
  file,
  maxBytes = 100 * 1024 * 1024,
  maxFiles = 10,
  clock = systemClock,
}: NdjsonRecorderOptions): NdjsonRecorder {
  for (const [name, value] of Object.entries({ maxBytes, maxFiles })) {
    if (!(Number.isSafeInteger(value) && value >= 1)) {
      throw new RangeError(`"${name}" must be a whole number of at least 1, got ${value}`)
    }
  }
  let current: { handle: FileHandle; bytes: number } | undefined
  let waiting: Buffer[] = []
  // Reports that arrive while the disk is busy are written together.
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  return {
    record(report, { id, device }) {
      const line: RecordedReport = { receivedAt: new Date(clock.now()).toISOString(), id, device, report }
      waiting.push(Buffer.from(`${JSON.stringify(line)}\n`))
      next ??= startBatch()
      return next
    },
    async close() {
      // A failed batch was reported to the callers of record().
      await last.catch(() => {})
      await current?.handle.close()
      current = undefined
    },
  }

  function startBatch(): Promise<void> {
    const batch = last
      .catch(() => {}) // As above.
      .then(() => {
        const lines = waiting
        waiting = []
        next = undefined
        return write(lines)
      })
    last = batch
    return batch
  }

  async function write(lines: Buffer[]): Promise<void> {
    let from = 0
    while (from < lines.length) {
      const target = await openFor(lines[from]?.byteLength ?? 0)
      let bytes = 0
      let to = from
      for (; to < lines.length; to++) {
        const size = lines[to]?.byteLength ?? 0
        if (to > from && target.bytes + bytes + size > maxBytes) break
        bytes += size
      }
      await append(target, Buffer.concat(lines.slice(from, to)))
      from = to
    }
  }

  async function append(target: { handle: FileHandle; bytes: number }, data: Buffer): Promise<void> {
    try {
      await target.handle.appendFile(data)
      await target.handle.datasync()
      target.bytes += data.byteLength
    } catch (error) {
      // A part of the data may be in the file. The next batch opens it again, which removes a torn line.
      current = undefined
      await target.handle.truncate(target.bytes).catch(() => {})
      await target.handle.close().catch(() => {})
      throw error
    }
  }

  async function openFor(bytes: number): Promise<{ handle: FileHandle; bytes: number }> {
    current ??= await openAtEnd()
    if (current.bytes > 0 && current.bytes + bytes > maxBytes) {
      const full = current.handle
      current = undefined
      await full.close()
      await rotate()
      current = await openAtEnd()
    }
    return current
  }

  async function openAtEnd(): Promise<{ handle: FileHandle; bytes: number }> {
    const handle = await open(file, 'a+')
    return { handle, bytes: await removeTornLine(handle) }
  }

  async function rotate(): Promise<void> {
    if (maxFiles === 1) return (await open(file, 'w')).close()
    for (let n = maxFiles - 2; n >= 0; n--) {
      await rename(n === 0 ? file : `${file}.${n}`, `${file}.${n + 1}`).catch((error) => {
        if (error.code !== 'ENOENT') throw error
      })
    }
  }
}
