/**
 * Plays a recording with current timestamps.
 * In: a file in any format of the sources, gzip or plain, which is read while it is played. Out: its positions at the
 * recorded intervals, the first one now, but for gaps of more than ten minutes. Each position's time is computed from
 * the start of the replay, so that delays do not add up.
 */
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { PositionData } from '@posrep/spec'
import { checkNumber } from '../../check-option.ts'
import { AgentError, toReason } from '../../errors.ts'
import { type Clock, systemClock } from '../../ports.ts'
import { withAgentTime } from '../agent-time.ts'
import { readLines } from '../lines/read-lines.ts'
import { createPace } from '../pace.ts'
import type { MapperListener } from '../reasons.ts'
import { createRecordingReader, type RecordingOptions } from './recording-format.ts'
import { type GapListener, withoutGaps } from './without-gaps.ts'

export interface ReplayOptions extends MapperListener, GapListener {
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
 * @example
 * ```ts
 * import type { Agent } from '@posrep/sensor-agent'
 * import { replay } from '@posrep/sensor-agent/sources'
 *
 * export async function play(agent: Agent) {
 *   for await (const position of replay('traffic.sbs')) await agent.report(position)
 * }
 * ```
 */
export async function* replay(
  recording: string | URL,
  { speed = 1, loop = false, timeZone = 'UTC', signal, clock = systemClock, ...listener }: ReplayOptions = {},
): AsyncGenerator<PositionData, void, void> {
  checkNumber('speed', speed, 0.001)
  const pace = createPace(clock)
  let startMs = 0
  let pass = 0
  // What is unusable is told once, not in each pass.
  let told: MapperListener & GapListener = listener
  do {
    pass = Math.max(pass + 1, clock.now())
    let firstMs: number | undefined
    let lastDueMs = startMs
    const lines = readPositions(recording, { timeZone, ...told }, signal)
    for await (const positions of withoutGaps(lines, told)) {
      // A snapshot lists positions of the last minute. The recording starts with the newest of the first snapshot.
      firstMs ??= Math.max(...positions.map(({ atMs }) => atMs))
      for (const { position, atMs: recordedMs } of positions) {
        const dueMs = startMs + (recordedMs - firstMs) / speed
        lastDueMs = Math.max(lastDueMs, dueMs)
        const atMs = await pace.until(dueMs, signal)
        if (signal?.aborted) return
        yield withAgentTime({
          ...position,
          id: `${position.id}.${pass.toString(36)}`,
          sourceTimeStamp: new Date(atMs).toISOString(),
        })
      }
    }
    if (signal?.aborted) return
    told = {}
    if (firstMs === undefined) throw unreadable(recording, 'it contains no position')
    startMs = Math.ceil(lastDueMs + 1_000 / speed)
  } while (loop)
}

/** A snapshot of an aggregator may be one line. */
const maxLineLength = 64 * 1_048_576

/** The positions of each line that has any. */
async function* readPositions(
  recording: string | URL,
  options: RecordingOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<PositionData[], void, void> {
  const reader = createRecordingReader(options)
  let cut: string | undefined
  try {
    const bytes = await openBytes(recording)
    try {
      for await (const line of readLines(bytes, { maxLength: maxLineLength, onCut: (rest) => (cut = rest) })) {
        if (signal?.aborted) return
        const positions = reader.read(line)
        if (positions.length > 0) yield positions
      }
      const positions = cut === undefined ? [] : reader.readCut(cut)
      if (positions.length > 0) yield positions
      reader.end()
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
  // A pipe without a writer would hold the read, and the end of the process, for ever; one with a writer can be read
  // once only.
  if ((await stat(recording)).isFIFO()) throw new Error('it is a pipe; give a file')
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
