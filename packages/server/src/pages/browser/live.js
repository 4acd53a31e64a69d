// @ts-check
/**
 * `data-live-source`: follows the server's events and applies what has changed. `data-live`: an element whose content
 * is replaced, but not while a control in it is in use. Rows are in `rows.js`. After a change the document gets the
 * event `live`; when the session has ended, or the page shows something else now, `gone`.
 */
import { replaceInPlace } from './hold.js'
import { applyRows, applyWaitingRows } from './rows.js'
import { learnServerTime, serverNow } from './times.js'

/**
 * Contents that wait until their element is not in use.
 * @type {Map<Element, string>}
 */
const waiting = new Map()

/**
 * A page follows one source.
 * @type {EventSource | undefined}
 */
let source

/** @param {Element} notice Shown while the connection is lost. */
export function follow(notice) {
  source?.close()
  const events = new EventSource(notice.getAttribute('data-live-source') ?? '')
  source = events
  let lastEventMs = serverNow()
  for (const kind of ['parts', 'same']) {
    events.addEventListener(kind, ({ data }) => {
      const { nowMs, ...parts } = JSON.parse(data)
      learnServerTime(nowMs)
      lastEventMs = nowMs
      if (kind === 'parts') apply(parts)
    })
  }
  events.addEventListener('gone', () => document.dispatchEvent(new Event('gone')))
  events.addEventListener('open', () => notice.setAttribute('hidden', ''))
  events.addEventListener('error', () => {
    const since = notice.querySelector('[data-live-since]')
    if (since) since.textContent = new Date(lastEventMs).toLocaleTimeString()
    notice.removeAttribute('hidden')
  })
}

/**
 * @param {{ contents: Record<string, string>, lists: Record<string, { order: string[], rows: Record<string, string> }>
 * }} parts
 */
function apply({ contents, lists }) {
  for (const [id, html] of Object.entries(contents)) {
    const part = document.getElementById(id)
    if (part) waiting.set(part, html)
  }
  for (const [id, list] of Object.entries(lists)) {
    const body = document.getElementById(id)
    if (body) applyRows(body, list)
  }
  applyWaiting(true)
}

/** Applies what waits for elements that are no longer in use. */
export function applyWaiting(isNew = false) {
  let changed = isNew
  for (const [part, html] of waiting) {
    if (part.contains(document.activeElement) || part.querySelector(hoveredControls)) continue
    if (part.innerHTML !== html) {
      const template = document.createElement('template')
      template.innerHTML = html
      if (!replaceInPlace(part, template.content.childNodes)) continue
      changed = true
    }
    waiting.delete(part)
  }
  if (applyWaitingRows()) changed = true
  if (changed) document.dispatchEvent(new Event('live'))
}

const hoveredControls = 'a:hover, button:hover, summary:hover'
