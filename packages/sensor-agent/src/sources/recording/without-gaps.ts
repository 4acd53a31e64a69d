/**
 * Puts the positions of a recording on one line of time, so that nobody waits for years.
 * In: the positions of each line, in the order of the recording. Out: the same with their times, in ms. A position that
 * is far from those before it is held until the next one: if that one is there, too, the recording goes on there, a
 * second later; else the held one is unusable, because the fault of one line stays that line's.
 */
import type { PositionData } from '@posrep/spec'
import { describeDuration } from '../../describe-duration.ts'
import { type MapperListener, quote } from '../reasons.ts'

export interface TimedPosition {
  position: PositionData
  /** The recorded time without the gaps that are skipped. */
  atMs: number
}

export interface GapListener extends Pick<MapperListener, 'onUnusable'> {
  /** A gap was skipped. The message is for people. */
  onGap?: (message: string) => void
}

/** Recordings have pauses, and one line of a snapshot may be a minute older than the next. */
const longestGapMs = 10 * 60_000
const goesOnAfterMs = 1_000

export async function* withoutGaps(
  lines: AsyncIterable<readonly PositionData[]>,
  { onUnusable = () => undefined, onGap = () => undefined }: GapListener,
): AsyncGenerator<TimedPosition[], void, void> {
  let skippedMs = 0
  let lastMs: number | undefined
  let held: { position: PositionData; atMs: number } | undefined

  for await (const line of lines) {
    const found = line.flatMap(place)
    if (found.length > 0) yield found
  }
  if (held) refuse(held)

  /** The positions that can be played now. */
  function place(position: PositionData): TimedPosition[] {
    const atMs = Date.parse(position.sourceTimeStamp)
    if (held && lastMs !== undefined && isNear(atMs, held.atMs)) {
      const [gapMs, first] = [held.atMs - lastMs, held]
      skippedMs += gapMs - goesOnAfterMs
      lastMs = Math.max(first.atMs, atMs)
      held = undefined
      onGap(
        gapMs > 0
          ? `a gap of ${describeDuration(gapMs)} in the recording is skipped`
          : `the recording goes on ${describeDuration(-gapMs)} earlier, as if nothing were between`,
      )
      return [first, { position, atMs }].map(toTimed)
    }
    if (held) refuse(held)
    held = undefined
    if (lastMs !== undefined && !isNear(atMs, lastMs)) {
      held = { position, atMs }
      return []
    }
    lastMs = Math.max(lastMs ?? atMs, atMs)
    return [toTimed({ position, atMs })]
  }

  function toTimed({ position, atMs }: TimedPosition): TimedPosition {
    return { position, atMs: atMs - skippedMs }
  }

  function refuse({ position: { id, sourceTimeStamp }, atMs }: TimedPosition): void {
    const farMs = atMs - (lastMs ?? atMs)
    const where = `${describeDuration(Math.abs(farMs))} ${farMs > 0 ? 'after' : 'before'} the lines around it`
    onUnusable('odd_time', `${quote(id)} has the time ${sourceTimeStamp}, ${where}`)
  }
}

function isNear(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) <= longestGapMs
}
