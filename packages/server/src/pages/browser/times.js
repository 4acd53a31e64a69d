// @ts-check
/**
 * `<time datetime>`: shows the time in the browser's zone, relative up to a minute, and keeps it current. `data-past`:
 * it is not to come, also where the page came late and its time is behind that of its streams. The time of day is the
 * server's, from `data-now` and from the events of open pages: the browser's clock may be wrong, and may be set while
 * the page is open.
 */

/**
 * The server's time, and the time on the browser's steady clock when it was learned. That clock may stop while a
 * computer sleeps.
 */
let learned = { serverMs: Number(document.body.dataset.now ?? Date.now()), steadyMs: performance.now() }

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** @param {number} serverMs */
export function learnServerTime(serverMs) {
  learned = { serverMs, steadyMs: performance.now() }
}

/** The server's time, in ms since 1970. */
export function serverNow() {
  return learned.serverMs + performance.now() - learned.steadyMs
}

export function showTimes() {
  const nowMs = serverNow()
  for (const element of document.querySelectorAll('time[datetime]')) {
    const atMs = Date.parse(element.getAttribute('datetime') ?? '')
    const shownMs = element.hasAttribute('data-past') ? Math.min(atMs, nowMs) : atMs
    const text = (element.hasAttribute('data-clock') ? undefined : toRelative(shownMs, nowMs)) ?? toText(atMs, nowMs)
    if (element.textContent !== text) element.textContent = text
    if (element.hasAttribute('data-zoned')) continue
    const exact = element.getAttribute('data-exact')
    element.setAttribute('data-exact', `${dayOfYear.format(atMs)}, ${clock.format(atMs)} ${zone} · ${exact}`)
    element.setAttribute('data-zoned', '')
  }
}

/**
 * @param {number} atMs
 * @param {number} nowMs
 */
function toRelative(atMs, nowMs) {
  const agoSeconds = Math.floor((nowMs - atMs) / 1_000)
  if (agoSeconds >= 0 && agoSeconds < 60) return `${agoSeconds} s ago`
  return agoSeconds < 0 && agoSeconds > -60 ? `in ${-agoSeconds} s` : undefined
}

/**
 * @param {number} atMs
 * @param {number} nowMs
 */
function toText(atMs, nowMs) {
  const [at, now] = [new Date(atMs), new Date(nowMs)]
  if (at.toDateString() === now.toDateString()) return clock.format(at)
  const date = at.getFullYear() === now.getFullYear() ? day : dayOfYear
  return `${date.format(at)}, ${clock.format(at).slice(0, 5)}`
}
