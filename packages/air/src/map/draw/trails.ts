/**
 * The trails of targets, which fade with age.
 * In: targets, a view, a time. Out: a layer. Thousands of trails take longer than a frame, so they are drawn a few at a
 * time into a second layer, which replaces the first when it is complete.
 */
import { toStep } from '../model/altitude-scale.ts'
import type { Target } from '../model/target.ts'
import { indexOf } from '../model/trail.ts'
import { nearestX, type View } from '../model/view.ts'
import { begin, createLayer, isFor, type Layer } from './layer.ts'
import type { Theme } from './theme.ts'

export interface Trails {
  readonly layer: Layer
  /** Draws for about `budgetMs`. Returns true when a new picture is complete. */
  work(view: View, ratio: number, targets: Iterable<Target>, atMs: number, theme: Theme, budgetMs: number): boolean
  /** Starts again, because the filters or the time changed. */
  restart(): void
}

const shownMs = 240_000
const pauseMs = 400
/** Ages at which the trail becomes fainter, and how much of it is left. */
const bands = [
  { fromMs: 0, alpha: 0.8 },
  { fromMs: 60_000, alpha: 0.45 },
  { fromMs: 130_000, alpha: 0.22 },
]

export function createTrails(): Trails {
  let front = createLayer(false)
  let back = createLayer(false)
  let rest: Iterator<Target> | undefined
  let completeAt = -Infinity

  return {
    get layer() {
      return front
    },
    restart() {
      rest = undefined
      completeAt = -Infinity
    },
    work(view, ratio, targets, atMs, theme, budgetMs) {
      const startedAt = performance.now()
      if (!rest) {
        if (startedAt - completeAt < pauseMs && isFor(front, view)) return false
        begin(back, view, ratio)
        rest = targets[Symbol.iterator]()
      }
      for (let count = 0; ; count++) {
        const next = rest.next()
        if (next.done) break
        drawTrail(back, next.value, atMs, theme)
        if (count % 16 === 15 && performance.now() - startedAt > budgetMs) return false
      }
      rest = undefined
      completeAt = performance.now()
      ;[front, back] = [back, front]
      return true
    },
  }
}

function drawTrail({ context, view }: Layer, target: Target, atMs: number, theme: Theme): void {
  const { trail, isThere, isWanted } = target
  if (!isThere || !isWanted || trail.length === 0) return
  const toPx = (x: number) => (nearestX(x, view.x) - view.x) * view.scale + view.width / 2
  const toPy = (y: number) => (y - view.y) * view.scale + view.height / 2
  const headX = toPx(target.shownX)
  // A target far outside may have been inside, but not in the last minutes.
  if (headX < -view.width || headX > 2 * view.width) return
  context.lineWidth = 1.6
  context.lineJoin = 'round'
  if (target.state === 'coasting') context.setLineDash([2, 3])
  let [band, isOpen] = [0, true]
  context.beginPath()
  context.moveTo(headX, toPy(target.shownY))
  context.strokeStyle = theme.altitudes[toStep(target.shownAltitude)] ?? theme.text
  let [lastPx, lastPy] = [headX, toPy(target.shownY)]
  for (let index = trail.length - 1; index >= 0; index--) {
    const at = indexOf(trail, index)
    const ageMs = atMs - (trail.times[at] ?? 0)
    if (ageMs < 0) continue
    const [px, py] = [toPx(trail.xs[at] ?? 0), toPy(trail.ys[at] ?? 0)]
    // The trail that goes around the world the other way.
    if (Math.abs(px - lastPx) > view.scale / 2) break
    if (Math.abs(px - lastPx) + Math.abs(py - lastPy) > 0.8 || index === 0) {
      context.lineTo(px, py)
      ;[lastPx, lastPy] = [px, py]
    }
    const nextBand = bands[band + 1]
    if (nextBand && ageMs > nextBand.fromMs) {
      finish()
      band++
      context.beginPath()
      context.moveTo(px, py)
      context.strokeStyle = theme.altitudes[toStep(trail.altitudes[at] ?? Number.NaN)] ?? theme.text
    }
    if (ageMs > shownMs) break
    isOpen = true
  }
  if (isOpen) finish()
  context.setLineDash([])
  context.globalAlpha = 1

  function finish(): void {
    context.globalAlpha = bands[band]?.alpha ?? 0.2
    context.stroke()
  }
}
