/**
 * When the map is drawn.
 * In: what draws it, if it has changed. Out: its calls, until the signal: with each frame of the screen while something
 * moves, and less often while nothing does.
 */

export interface FramesOptions {
  /**
   * Draws what has changed. Out: how far the target that moved furthest has moved on the map since it was drawn, in
   * pixels; Infinity: everything was drawn.
   */
  draw(): number
  /** Whether nothing on the map may move by itself. */
  isStill(): boolean
  /** Ends the calls. */
  signal: AbortSignal
}

export interface Frames {
  /** Calls `draw` with the next frame of the screen. */
  request(): void
}

/** With a smaller move, in pixels, the next look can wait. */
const slowMove = 0.025
const slowLookMs = 50
const stillLookMs = 1_000

export function createFrames({ draw, isStill, signal }: FramesOptions): Frames {
  /** Whether a frame is on its way. */
  let isWaiting = false
  /** 0: the frame on its way is the next one of the screen. */
  let timer: ReturnType<typeof setTimeout> | 0 = 0

  function frame(): void {
    if (signal.aborted) return
    isWaiting = false
    const move = draw()
    // `draw` may have requested a frame.
    if (isWaiting) return
    if (isStill()) later(stillLookMs)
    else if (move < slowMove) later(slowLookMs)
    else next()
  }

  function later(afterMs: number): void {
    isWaiting = true
    timer = setTimeout(next, afterMs)
  }

  function next(): void {
    timer = 0
    isWaiting = true
    requestAnimationFrame(frame)
  }

  signal.addEventListener('abort', () => clearTimeout(timer))
  return {
    request() {
      if (isWaiting && timer === 0) return
      clearTimeout(timer)
      next()
    },
  }
}
