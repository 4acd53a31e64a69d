/** How many targets there are, how fresh the picture is, and what to do when it is not; the empty state. */

import type { AirMap } from '@posrep/air/map'
import { toClock, toCountText, toLostText } from '@posrep/air/words'
import { find, setText } from '../dom.ts'

/** A picture with targets changes about once a second. */
const stillMs = 20_000

export function showStatus(root: HTMLElement, map: AirMap): void {
  const { picture } = map
  const counts = find(root, '[data-counts]')
  const link = find(root, '[data-link]')
  const stale = find(root, '[data-stale]')
  const empty = find(root, '[data-empty]')
  let frameAt = performance.now()
  map.on('frame', () => (frameAt = performance.now()))

  function show(): void {
    showStale()
    if (Number.isNaN(picture.timeMs)) return
    const { all, wanted } = map.targets()
    const isAll = wanted.length === all.length
    const text = `${isAll ? '' : `${wanted.length.toLocaleString('en')} of `}${toCountText(all.length)}`
    setText(counts, text)
    setText(link, toClock(map.choices.replayMs ?? map.nowMs()))
    empty.hidden = picture.targets.size > 0
  }

  function showStale(): void {
    const isStill = picture.targets.size > 0 && performance.now() - frameAt > stillMs
    const still = isStill ? `The server sends no news. This is the picture of ${toClock(picture.timeMs)}.` : ''
    const reason = map.link === 'lost' ? toLostText(picture.timeMs) : still
    stale.hidden = reason === ''
    setText(stale, reason)
    root.toggleAttribute('data-is-stale', reason !== '')
  }
  for (const event of ['frame', 'link', 'filtered', 'replay'] as const) map.on(event, show)
  setInterval(show, 1_000)
}
