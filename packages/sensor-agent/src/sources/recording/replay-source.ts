/** Plays a recording as a source; see `replay()`. */
import { basename } from 'node:path'
import { defineSource, type Source } from '../source.ts'
import { type ReplayOptions, replay } from './replay.ts'

export function replaySource(
  recording: string,
  options: Pick<ReplayOptions, 'speed' | 'loop' | 'timeZone'> = {},
): Source {
  return defineSource(`recording ${basename(recording)}`, async (sink) => {
    const { signal, clock } = sink
    for await (const position of replay(recording, { ...options, signal, clock })) {
      await sink.report(position)
      await sink.room()
    }
  })
}
