/**
 * Replay: the slider shows an earlier time of the last ten minutes, as far as targets are known. Positions, altitudes,
 * speeds and directions are replayed; alerts are shown live only.
 */

import type { AirMap } from '@posrep/air/map'
import { windowMs } from '@posrep/air/map'
import { toClock } from '@posrep/air/words'
import { find, setText } from './dom.ts'

const speed = 8
const playText = `Play ${speed}×`
const stepMs = 66

export function setUpReplay(root: HTMLElement, map: AirMap): void {
  const slider = find<HTMLInputElement>(root, '[data-slider]')
  const play = find<HTMLButtonElement>(root, '[data-play]')
  const live = find<HTMLButtonElement>(root, '[data-live]')
  const when = find(root, '[data-when]')
  const span = find(root, '[data-span]')
  const bar = find(root, '.air-replay')
  const { choices } = map
  // The page begins live, also where a browser keeps the slider when the page is loaded again.
  slider.value = '0'
  let playedAt: number | undefined

  function showAt(atMs: number | undefined): void {
    const nowMs = map.nowMs()
    map.showAt(atMs === undefined ? undefined : Math.max(atMs, earliestMs()))
    const isLive = choices.replayMs === undefined
    if (isLive) stop()
    live.disabled = isLive
    bar.toggleAttribute('data-past', !isLive)
    const behind = Math.round(((choices.replayMs ?? nowMs) - nowMs) / 1_000)
    if (document.activeElement !== slider || isLive) slider.value = String(behind)
    const text = choices.replayMs === undefined ? 'Live' : `${toClock(choices.replayMs)}, ${-behind} s ago`
    setText(when, text)
    slider.setAttribute('aria-valuetext', text)
  }

  function earliestMs(): number {
    return Math.max(map.beganAtMs(), map.nowMs() - windowMs)
  }

  /** Says which time the replay covers. */
  function showSpan(): void {
    const seconds = Math.ceil((map.nowMs() - earliestMs()) / 1_000)
    const since = `Replay from ${toClock(earliestMs())}`
    // Whole steps, so that the thumb does not creep.
    slider.min = String(-Math.min(windowMs / 1_000, Math.max(10, Math.ceil(seconds / 10) * 10)))
    const texts = {
      reading: `${since}, reading more`,
      read: since,
      partly: `${since}, not all targets`,
      failed: `${since}; trying to read more`,
    }
    setText(span, Number.isNaN(map.picture.timeMs) ? '' : texts[map.history ?? 'reading'])
  }

  function stop(): void {
    playedAt = undefined
    setText(play, playText)
  }

  slider.addEventListener('input', () => {
    const behind = Number(slider.value)
    showAt(behind >= 0 ? undefined : map.nowMs() + behind * 1_000)
  })
  live.addEventListener('click', () => {
    showAt(undefined)
    // The button is disabled now, so the focus would be lost.
    play.focus()
  })
  play.addEventListener('click', () => {
    if (playedAt !== undefined) return stop()
    // From live there is nothing to play: it begins as early as targets are known.
    if (choices.replayMs === undefined) showAt(earliestMs())
    playedAt = performance.now()
    setText(play, 'Pause')
  })
  setInterval(() => {
    if (choices.replayMs === undefined) return
    if (playedAt === undefined) return showAt(choices.replayMs)
    const now = performance.now()
    const next = choices.replayMs + (now - playedAt) * speed
    playedAt = now
    showAt(next >= map.nowMs() ? undefined : next)
  }, stepMs)
  setInterval(showSpan, 1_000)
  map.on('history', showSpan)
}
