/**
 * Replay: the slider shows an earlier time of the last ten minutes, as far as targets are known. Positions, altitudes, speeds and
 * directions are replayed; alerts are shown live only.
 */
import { windowMs } from '../model/picture.ts'
import { toClock } from '../model/words.ts'
import { find, setText } from './dom.ts'
import type { Session } from './session.ts'

const speed = 8
const playText = `Play ${speed}×`
const stepMs = 66
/** To the table and the panels, which take longer than the map. */
const tellEveryMs = 500

export function setUpReplay(root: HTMLElement, session: Session): void {
  const slider = find<HTMLInputElement>(root, '[data-slider]')
  const play = find<HTMLButtonElement>(root, '[data-play]')
  const live = find<HTMLButtonElement>(root, '[data-live]')
  const when = find(root, '[data-when]')
  const span = find(root, '[data-span]')
  const bar = find(root, '.air-replay')
  const { choices, map } = session
  let playedAt: number | undefined
  let toldAt = -Infinity

  function showAt(atMs: number | undefined): void {
    const wasLive = choices.replayMs === undefined
    const nowMs = session.nowMs()
    choices.replayMs = atMs === undefined ? undefined : Math.max(atMs, earliestMs())
    const isLive = choices.replayMs === undefined
    if (isLive) stop()
    live.disabled = isLive
    bar.toggleAttribute('data-past', !isLive)
    const behind = Math.round(((choices.replayMs ?? nowMs) - nowMs) / 1_000)
    if (document.activeElement !== slider || isLive) slider.value = String(behind)
    const text = choices.replayMs === undefined ? 'Live' : `${toClock(choices.replayMs)}, ${-behind} s ago`
    setText(when, text)
    slider.setAttribute('aria-valuetext', text)
    map.redraw()
    if (wasLive === isLive && performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    // What is counted there is of this time.
    map.place()
    session.tell('replay')
  }

  function earliestMs(): number {
    return Math.max(session.beganAtMs(), session.nowMs() - windowMs)
  }

  /** Says which time the replay covers. */
  function showSpan(): void {
    const seconds = Math.ceil((session.nowMs() - earliestMs()) / 1_000)
    const since = `Replay from ${toClock(earliestMs())}`
    // Whole steps, so that the thumb does not creep.
    slider.min = String(-Math.min(windowMs / 1_000, Math.max(10, Math.ceil(seconds / 10) * 10)))
    const texts = {
      reading: `${since}, reading more`,
      read: since,
      partly: `${since}, not all targets`,
      failed: `${since}; trying to read more`,
    }
    setText(span, Number.isNaN(session.picture.timeMs) ? '' : texts[session.history ?? 'reading'])
  }

  function stop(): void {
    playedAt = undefined
    setText(play, playText)
  }

  slider.addEventListener('input', () => {
    const behind = Number(slider.value)
    showAt(behind >= 0 ? undefined : session.nowMs() + behind * 1_000)
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
    showAt(next >= session.nowMs() ? undefined : next)
  }, stepMs)
  setInterval(showSpan, 1_000)
  session.on('history', showSpan)
}
