/** What pointers and keys do on the map: hover, select, follow, the order of targets. */
import type { AirMap } from './air-map.ts'
import { followGestures } from './draw/gestures.ts'
import type { DrawnMap, MapChoices } from './draw/map.ts'
import type { Target } from './model/target.ts'
import { centreOn, type Margins, type View } from './model/view.ts'

export interface SteerOptions {
  canvas: HTMLCanvasElement
  map: AirMap
  drawn: DrawnMap
  choices: MapChoices
  isCompact: boolean
  signal: AbortSignal
  margins(): Margins
  moveTo(view: View): void
  fitTargets(): void
  stopFollowing(): void
}

export function steer({ canvas, map, drawn, choices, isCompact, signal, ...options }: SteerOptions): void {
  const { picture } = map

  followGestures(canvas, {
    isCompact,
    signal,
    view: drawn.view,
    change(view) {
      options.stopFollowing()
      options.moveTo(view)
    },
    hover(px, py, reach) {
      const target = drawn.find(px, py, reach)
      if (target === choices.hovered) return
      choices.hovered = target
      canvas.style.cursor = target ? 'pointer' : 'grab'
      drawn.redraw()
    },
    leave() {
      choices.hovered = undefined
      drawn.redraw()
    },
    click(px, py, reach) {
      map.select(drawn.find(px, py, reach)?.id)
    },
    key(given) {
      const key = given.length === 1 ? given.toLowerCase() : given
      if (key === '0') options.fitTargets()
      else if (key === '+' || key === '=') map.zoomBy(1.5)
      else if (key === '-' || key === '_') map.zoomBy(1 / 1.5)
      else if (key === 'Escape') map.select(undefined)
      else if (key === 'f' && choices.selectedId !== undefined) map.follow(!map.isFollowing)
      else if (key === 'n') step(1)
      else if (key === 'p') step(-1)
      else return false
      return true
    },
  })

  // Read now and then: reading it lays out the page.
  let margins = options.margins()
  const timer = setInterval(() => (margins = options.margins()), 500)
  signal.addEventListener('abort', () => clearInterval(timer))

  drawn.beforeFrame = () => {
    const target = map.isFollowing && choices.selectedId !== undefined ? picture.find(choices.selectedId) : undefined
    if (!target?.isThere) return
    const view = drawn.view()
    const next = centreOn(view, target.shownX, target.shownY, margins)
    if ((Math.abs(next.x - view.x) + Math.abs(next.y - view.y)) * view.scale > 0.3) drawn.setView(next)
  }

  /** The next or the previous target, from west to east. */
  function step(by: 1 | -1): void {
    const all = map.targets().wanted.sort((a, b) => a.shownX - b.shownX)
    const at = all.findIndex(({ id }) => id === choices.selectedId)
    const next = all[(at + by + all.length) % all.length] ?? all[0]
    if (!next) return
    map.select(next.id)
    reveal(next)
  }

  /** Moves the map if the target is outside of it. From then on it does not move by itself. */
  function reveal(target: Target): void {
    const view = drawn.view()
    const { px, py } = target
    const isInside =
      px > margins.left && py > margins.top && px < view.width - margins.right && py < view.height - margins.bottom
    options.moveTo(isInside ? view : centreOn(view, target.shownX, target.shownY, margins))
  }
}
