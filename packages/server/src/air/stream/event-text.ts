/**
 * A frame as the text of a server-sent event.
 * In: a frame and the event's ID. Out: the text in portions, so that a large picture is neither made nor buffered at
 * once.
 */
import type { AirFrame } from '@posrep/spec'
import { toJsonText } from '../../http/operation/json-text.ts'

const tracksPerPortion = 200
export function* toEventText(frame: AirFrame, id: string): Generator<string, void, undefined> {
  const { tracks, notice, time, full, ...rest } = frame
  yield `id: ${id}\nevent: frame\ndata: ${JSON.stringify({ notice, time, full }).slice(0, -1)},"tracks":[`
  for (let from = 0; from < tracks.length; from += tracksPerPortion) {
    const texts = tracks.slice(from, from + tracksPerPortion).map(toJsonText)
    yield `${from === 0 ? '' : ','}${texts.join(',')}`
  }
  yield `],${JSON.stringify(rest).slice(1)}\n\n`
}
