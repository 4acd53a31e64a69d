/**
 * What one client of a stream has of the picture, and what it needs next. It keeps no frames: a slow client gets all
 * changes since its last event as one frame, or the whole picture.
 * In: a picture, the client's box, and the event that it received last. Out: one frame after the other.
 */
import { createHash } from 'node:crypto'
import { type Box, isInBox } from '@posrep/air'
import type { AirFrame, AirTrack } from '@posrep/spec'
import type { AirPicture } from '../picture.ts'

export interface ClientView {
  /** Whether the client has the latest frame. */
  isCurrent(): boolean
  /** What the client needs to have the picture as it is now. */
  next(): AirFrame
  /** The ID of the event with the frame that `next` returned last. */
  eventId(): string
}

/**
 * @param lastEventId As the client sent it. An ID of another account, of another process that numbered the frames, or
 * of another box is ignored.
 */
export function createClientView(
  picture: AirPicture,
  box: Box | undefined,
  lastEventId: string | undefined,
): ClientView {
  let name = hashOf(picture, box)
  let sequence = toSequence(lastEventId, name)
  let isFirst = true
  /** IDs of the tracks in the box that the client has. Not used without a box. */
  const inBox = new Set<string>()
  const isShown = ({ position }: AirTrack) => !box || isInBox(box, position)

  function whole(): AirFrame {
    const tracks = [...picture.tracks()].filter(isShown)
    return {
      notice: 'Not for navigation',
      time: new Date(picture.timeMs).toISOString(),
      full: true,
      tracks,
      ended: [],
      alerts: picture.alerts().filter(({ state }) => state === 'active'),
      ...(picture.moreAlerts() > 0 && { moreAlerts: picture.moreAlerts() }),
      sensors: [...picture.sensors()],
      areas: picture.areas(),
    }
  }

  /**
   * After a reconnection it is not known which tracks outside of the box the client had, so all that changed have ended
   * for it.
   */
  function ofBox(frame: AirFrame): AirFrame {
    if (!box) return frame
    const outside = frame.tracks.filter((track) => !isShown(track)).map(({ id }) => id)
    const left = isFirst ? outside : outside.filter((id) => inBox.has(id))
    const ended = isFirst ? frame.ended : frame.ended.filter((id) => inBox.has(id))
    return { ...frame, tracks: frame.tracks.filter(isShown), ended: [...ended, ...left] }
  }

  function remember(frame: AirFrame): void {
    if (!box) return
    if (isFirst || frame.full) {
      inBox.clear()
      for (const track of picture.tracks()) if (isShown(track)) inBox.add(track.id)
      return
    }
    for (const { id } of frame.tracks) inBox.add(id)
    for (const id of frame.ended) inBox.delete(id)
  }

  return {
    isCurrent: () => !isFirst && sequence === picture.sequence && name === hashOf(picture, box),
    next() {
      const current = hashOf(picture, box)
      const changes = sequence === undefined || name !== current ? undefined : picture.since(sequence)
      const frame = changes && !changes.full ? ofBox(changes) : whole()
      name = current
      sequence = picture.sequence
      remember(frame)
      isFirst = false
      return frame
    },
    eventId: () => `${sequence}.${name}`,
  }
}

function toSequence(lastEventId: string | undefined, name: string): number | undefined {
  const [digits = '', named] = lastEventId?.split('.') ?? []
  return named === name && /^[0-9]{1,15}$/.test(digits) ? Number(digits) : undefined
}

/** Changes "since" are only changes of what the client has, which is what its box contained, of this picture. */
function hashOf({ id }: AirPicture, box: Box | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([id, box && Object.values(box)]))
    .digest('base64url')
    .slice(0, 8)
}
