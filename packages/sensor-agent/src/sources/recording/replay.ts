/**
 * Plays a recording with current timestamps.
 * In: a file in any format of the sources, gzip or plain, which is read while it is played. Out: its positions at the recorded
 * intervals, the first one now. Each position's time is computed from the start of the replay, so that delays do not add up.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PositionData } from '@posrep/spec'
import { checkNumber } from '../../check-option.ts'
import { AgentError, toReason } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports.ts'
import { readLines } from '../lines/read-lines.ts'
import { createRecordingReader } from './recording-format.ts'

export interface ReplayOptions {
  /** 2 plays twice as fast. 0.001 or more. Default 1. */
  speed?: number
  /** Starts again one second after the end. Default false. */
  loop?: boolean
  /** Time zone of the dates of SBS lines, as in `createSbsMapper`. Default `UTC`. */
  timeZone?: string
  /** Ends the replay at once, even between two positions. */
  signal?: AbortSignal
  clock?: Clock
}

/**
 * Each id is the recording's id followed by the start time of the pass, so that two passes or replays share no id.
 *
 * @throws AgentError `recording_unreadable` when the file cannot be read to its end or contains no position.
 */
export async function* replay(
  recording: string | URL,
  { speed = 1, loop = false, timeZone = 'UTC', signal, clock = systemClock }: ReplayOptions = {},
): AsyncGenerator<PositionData, void, void> {
  checkNumber('speed', speed, 0.001)
  let startMs = clock.now()
  do {
    let firstMs: number | undefined
    let lastDueMs = startMs
    for await (const positions of readPositions(recording, timeZone, signal)) {
      // A snapshot lists positions of the last minute. The recording starts with the newest of the first snapshot.
      firstMs ??= Math.max(...positions.map(toRecordedMs))
      for (const position of positions) {
        const dueMs = startMs + (toRecordedMs(position) - firstMs) / speed
        lastDueMs = Math.max(lastDueMs, dueMs)
        const waitMs = dueMs - clock.now()
        if (waitMs > 0) await clock.sleep(waitMs, signal)
        if (signal?.aborted) return
        yield {
          ...position,
          id: `${position.id}.${startMs.toString(36)}`,
          sourceTimeStamp: new Date(dueMs).toISOString(),
        }
      }
    }
    if (signal?.aborted) return
    if (firstMs === undefined) throw unreadable(recording, 'it contains no position')
    startMs = Math.ceil(lastDueMs + 1_000 / speed)
  } while (loop)
}

function toRecordedMs({ sourceTimeStamp }: PositionData): number {
  return Date.parse(sourceTimeStamp)
}

/** The positions of each line that has any. */
async function* readPositions(
  recording: string | URL,
  timeZone: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<PositionData[], void, void> {
  const read = createRecordingReader(timeZone)
  try {
    const bytes = await openBytes(recording)
    try {
      for await (const line of readLines(bytes)) {
        if (signal?.aborted) return
        const positions = read(line)
        if (positions.length > 0) yield positions
      }
    } finally {
      bytes.destroy()
    }
  } catch (cause) {
    throw unreadable(recording, toReason(cause), cause)
  }
}

/** gzip is detected by its two magic bytes, not by the file's name. */
async function openBytes(recording: string | URL): Promise<Readable> {
  const gzip = await isGzip(recording)
  const file = createReadStream(recording)
  if (!gzip) return file
  const gunzip = createGunzip()
  // pipeline() destroys both streams on an error; the reader of gunzip gets it.
  pipeline(file, gunzip).catch(() => undefined)
  return gunzip
}

async function isGzip(recording: string | URL): Promise<boolean> {
  const handle = await open(recording)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b
  } finally {
    await handle.close()
  }
}

function unreadable(recording: string | URL, reason: string, cause?: unknown): AgentError {
  return new AgentError('recording_unreadable', `The recording "${recording}" cannot be played: ${reason}`, { cause })
}
