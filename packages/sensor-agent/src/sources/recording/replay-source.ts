/** Plays a recording as a source; see `replay()`. */
import { basename } from 'node:path'
import type { MapperListener } from '../reasons.ts'
import { defineSource, type Source } from '../source.ts'
import { type ReplayOptions, replay } from './replay.ts'
import type { GapListener } from './without-gaps.ts'

export function replaySource(
  recording: string,
  options: Pick<ReplayOptions, 'speed' | 'loop' | 'timeZone'> = {},
): Source {
  return defineSource(`recording ${basename(recording)}`, async (sink) => {
    const { signal, clock, toStampMs } = sink
    const listener: MapperListener & GapListener = {
      onUnusable: (reason, message) => sink.unusable(message, reason),
      onPartial: sink.partial,
      onGap: sink.state,
    }
    for await (const position of replay(recording, { ...options, ...listener, signal, clock })) {
      const sourceTimeStamp = new Date(toStampMs(Date.parse(position.sourceTimeStamp))).toISOString()
      await sink.report({ ...position, sourceTimeStamp })
      await sink.room()
    }
  })
}
