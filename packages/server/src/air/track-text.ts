/**
 * A track as JSON. In: a track of a picture. Out: its text, which is made once: all readers of an account get the same objects, and a
 * track that has changed is another object.
 */
import type { AirTrack } from '@posrep/spec'

const texts = new WeakMap<AirTrack, string>()

export function toTrackText(track: AirTrack): string {
  let text = texts.get(track)
  if (text === undefined) texts.set(track, (text = JSON.stringify(track)))
  return text
}
