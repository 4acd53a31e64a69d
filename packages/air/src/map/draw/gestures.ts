/**
 * Moves the map by pointers, wheel and keys.
 * In: the canvas. Out: calls for each change of the view, for the place under the pointer, and for clicks.
 */
import { moveBy, type View, zoomAt } from '../model/view.ts'

export interface Gestures {
  /** Fits the page around the map: the wheel zooms only with Ctrl, and one finger scrolls the page. */
  isCompact: boolean
  /** Ends it. */
  signal: AbortSignal
  view(): View
  change(view: View): void
  /** @param reach As for `click`. */
  hover(px: number, py: number, reach: number): void
  leave(): void
  /** @param reach How far from a target still counts, in pixels. */
  click(px: number, py: number, reach: number): void
  /** Returns whether the key has a meaning. */
  key(key: string): boolean
}

const clickPixels = 6
const keyPixels = 80

export function followGestures(canvas: HTMLCanvasElement, gestures: Gestures): void {
  const { signal } = gestures
  const pointers = new Map<number, { px: number; py: number }>()
  let travelled = 0
  canvas.style.touchAction = gestures.isCompact ? 'pan-y' : 'none'

  const placeOf = (event: { clientX: number; clientY: number }) => {
    const { left, top } = canvas.getBoundingClientRect()
    return { px: event.clientX - left, py: event.clientY - top }
  }

  canvas.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0) return
      if (pointers.size === 0) travelled = 0
      pointers.set(event.pointerId, placeOf(event))
      canvas.setPointerCapture(event.pointerId)
    },
    { signal },
  )
  canvas.addEventListener(
    'pointermove',
    (event) => {
      const place = placeOf(event)
      const before = pointers.get(event.pointerId)
      if (!before) return gestures.hover(place.px, place.py, reachOf(event))
      const [dx, dy] = [place.px - before.px, place.py - before.py]
      travelled += Math.abs(dx) + Math.abs(dy)
      pointers.set(event.pointerId, place)
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1]
      if (other) {
        const factor = distance(place, other) / Math.max(1, distance(before, other))
        const middle = { px: (place.px + other.px) / 2, py: (place.py + other.py) / 2 }
        gestures.change(moveBy(zoomAt(gestures.view(), factor, middle.px, middle.py), dx / 2, dy / 2))
      } else if (travelled > clickPixels) gestures.change(moveBy(gestures.view(), dx, dy))
    },
    { signal },
  )
  const end = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId) || event.type !== 'pointerup') return
    const { px, py } = placeOf(event)
    if (pointers.size === 0 && travelled <= clickPixels) gestures.click(px, py, reachOf(event))
  }
  canvas.addEventListener('pointerup', end, { signal })
  canvas.addEventListener('pointercancel', end, { signal })
  canvas.addEventListener('pointerleave', () => gestures.leave(), { signal })
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (gestures.isCompact && !event.ctrlKey) return
      event.preventDefault()
      const { px, py } = placeOf(event)
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 30
      const speed = event.ctrlKey ? 0.01 : 0.002
      gestures.change(zoomAt(gestures.view(), Math.exp(-event.deltaY * lines * speed), px, py))
    },
    { passive: false, signal },
  )
  canvas.addEventListener(
    'dblclick',
    (event) => {
      const { px, py } = placeOf(event)
      gestures.change(zoomAt(gestures.view(), 2, px, py))
    },
    { signal },
  )
  canvas.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const next = byKey(gestures.view(), event.key)
      if (next) gestures.change(next)
      if (next || gestures.key(event.key)) event.preventDefault()
    },
    { signal },
  )
}

/** A finger is less exact. */
function reachOf({ pointerType }: PointerEvent): number {
  return pointerType === 'mouse' ? 14 : 26
}

function byKey(view: View, key: string): View | undefined {
  if (key === 'ArrowLeft') return moveBy(view, keyPixels, 0)
  if (key === 'ArrowRight') return moveBy(view, -keyPixels, 0)
  if (key === 'ArrowUp') return moveBy(view, 0, keyPixels)
  if (key === 'ArrowDown') return moveBy(view, 0, -keyPixels)
  return undefined
}

function distance(a: { px: number; py: number }, b: { px: number; py: number }): number {
  return Math.hypot(a.px - b.px, a.py - b.py)
}
