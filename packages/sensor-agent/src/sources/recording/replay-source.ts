/** Plays a recording as a source; see `replay()`. */
import { basename } from 'node:path'
import { defineSource, type Source } from '../source.ts'
import { type ReplayOptions, replay } from './replay.ts'

export function replaySource(
  recording: string,
  options: Pick<ReplayOptions, 'speed' | 'loop' | 'timeZone'> = {},
): Source {
  return defineSource(`recording ${basename(recording)}`, async (sink) => {
    const { signal, clock, toStampMs } = sink
    for await (const position of replay(recording, { ...options, signal, clock })) {
      const sourceTimeStamp = new Date(toStampMs(Date.parse(position.sourceTimeStamp))).toISOString()
      await sink.report({ ...position, sourceTimeStamp })
      await sink.room()
    }
  })
}
