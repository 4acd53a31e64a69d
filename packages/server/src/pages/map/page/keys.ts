/** What pointers and keys do on the map: hover, select, follow, the order of targets. */
import { followGestures } from '../draw/gestures.ts'
import type { Target } from '../model/target.ts'
import { centreOn } from '../model/view.ts'
import { find } from './dom.ts'
import type { Session } from './session.ts'

export function setUpKeys(root: HTMLElement, session: Session): void {
  const canvas = find<HTMLCanvasElement>(root, 'canvas')
  const { map, choices, picture } = session

  followGestures(canvas, {
    isCompact: root.dataset.airMap === 'compact',
    view: map.view,
    change(view) {
      session.isMovedByUser = true
      session.stopFollowing()
      map.setView(view)
    },
    hover(px, py) {
      const target = map.find(px, py, 16)
      if (target === choices.hovered) return
      choices.hovered = target
      canvas.style.cursor = target ? 'pointer' : 'grab'
      map.redraw()
    },
    leave() {
      choices.hovered = undefined
      map.redraw()
    },
    click(px, py, reach) {
      session.select(map.find(px, py, reach)?.id)
    },
    key(given) {
      const key = given.length === 1 ? given.toLowerCase() : given
      if (key === '0') session.fitAll()
      else if (key === 'Escape') session.select(undefined)
      else if (key === 'f' && choices.selectedId !== undefined) session.follow(!session.isFollowing)
      else if (key === 'n') step(1)
      else if (key === 'p') step(-1)
      else return false
      return true
    },
  })

  // Read now and then: reading it lays out the page.
  let margins = session.margins()
  setInterval(() => (margins = session.margins()), 500)

  map.beforeFrame = () => {
    const target =
      session.isFollowing && choices.selectedId !== undefined ? picture.find(choices.selectedId) : undefined
    if (!target?.isThere) return
    const view = map.view()
    const next = centreOn(view, target.shownX, target.shownY, margins)
    if ((Math.abs(next.x - view.x) + Math.abs(next.y - view.y)) * view.scale > 0.3) map.setView(next)
  }

  /** The next or the previous target, from west to east. */
  function step(by: 1 | -1): void {
    const all = session.targets().wanted.sort((a, b) => a.shownX - b.shownX)
    const at = all.findIndex(({ id }) => id === choices.selectedId)
    const next = all[(at + by + all.length) % all.length] ?? all[0]
    if (!next) return
    session.select(next.id)
    session.isMovedByUser = true
    reveal(next)
  }

  /** Moves the map if the target is outside of it. */
  function reveal(target: Target): void {
    const view = map.view()
    const { px, py } = target
    const isInside =
      px > margins.left && py > margins.top && px < view.width - margins.right && py < view.height - margins.bottom
    if (!isInside) map.setView(centreOn(view, target.shownX, target.shownY, margins))
  }
}
