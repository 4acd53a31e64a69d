/**
 * Takes the frames of a picture until it is stopped.
 * In: a function that follows a picture. Out: packed frames, and what becomes of the connection.
 */
import type { AirFrame } from '@posrep/spec'
import { createFramePacker } from './pack-frames.ts'
import type { PackedFrame } from './packed-frame.ts'

export interface FollowOptions {
  /** Ends the iteration. */
  signal: AbortSignal
  /** The connection is lost; the next frame tells that it is back. */
  onInterrupted(): void
}

/** A frame; what has one, as `followAir` of the SDK gives it; or one that a worker has packed. */
export type FollowedFrame = AirFrame | { readonly frame: AirFrame } | PackedFrame

/** The first frame, and the first one after a gap, must be `full`. */
export type Follow = (options: FollowOptions) => AsyncIterable<FollowedFrame>

export interface FollowFramesOptions extends FollowOptions {
  onFrame(frame: PackedFrame): void
  /** It ended without the signal, or failed. */
  onEnded(error: unknown): void
}

export async function followFrames(
  follow: Follow,
  { signal, onInterrupted, onFrame, onEnded }: FollowFramesOptions,
): Promise<void> {
  const pack = createFramePacker()
  try {
    for await (const followed of follow({ signal, onInterrupted })) {
      if (signal.aborted) return
      onFrame('rows' in followed ? followed : pack('frame' in followed ? followed.frame : followed))
    }
    if (!signal.aborted) onEnded(undefined)
  } catch (error) {
    if (!signal.aborted) onEnded(error)
  }
}
