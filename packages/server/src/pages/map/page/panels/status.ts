/** How many targets there are, how fresh the picture is, and what to do when it is not; the empty state. */
import { toClock, toCountText, toLostText } from '../../model/words.ts'
import { find, setText } from '../dom.ts'
import type { Session } from '../session.ts'

/** A picture with targets changes about once a second. */
const stillMs = 20_000

export function showStatus(root: HTMLElement, session: Session): void {
  const { picture } = session
  const counts = find(root, '[data-counts]')
  const link = find(root, '[data-link]')
  const stale = find(root, '[data-stale]')
  const empty = find(root, '[data-empty]')
  let frameAt = performance.now()
  session.on('frame', () => (frameAt = performance.now()))

  function show(): void {
    showStale()
    if (Number.isNaN(picture.timeMs)) return
    const { all, wanted } = session.targets()
    const isAll = wanted.length === all.length
    const text = `${isAll ? '' : `${wanted.length.toLocaleString('en')} of `}${toCountText(all.length)}`
    setText(counts, text)
    setText(link, toClock(session.choices.replayMs ?? session.nowMs()))
    empty.hidden = picture.targets.size > 0
  }

  function showStale(): void {
    const isStill = picture.targets.size > 0 && performance.now() - frameAt > stillMs
    const still = isStill ? `The server sends no news. This is the picture of ${toClock(picture.timeMs)}.` : ''
    const reason = session.link === 'lost' ? toLostText(picture.timeMs) : still
    stale.hidden = reason === ''
    setText(stale, reason)
    root.toggleAttribute('data-is-stale', reason !== '')
  }
  for (const event of ['frame', 'link', 'filtered', 'replay'] as const) session.on(event, show)
  setInterval(show, 1_000)
}
