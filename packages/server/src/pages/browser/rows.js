// @ts-check
/**
 * `data-live-rows`: the rows of a list, each with a `data-key`. While the list has the pointer or the focus, its rows
 * stay where they are, the row in use does not change, and new rows wait behind the button with `data-news-for`.
 */
import { isInUse, replaceInPlace } from './hold.js'

/**
 * @typedef {{ order: string[], rows: Map<string, string> }} List The keys in order, and the HTML of rows that is not
 * shown yet.
 */

/**
 * What each list should show.
 * @type {Map<Element, List>}
 */
const lists = new Map()

/**
 * @param {Element} body
 * @param {{ order: string[], rows: Record<string, string> }} news
 */
export function applyRows(body, { order, rows }) {
  const list = lists.get(body) ?? { order, rows: new Map() }
  list.order = order
  for (const [key, html] of Object.entries(rows)) list.rows.set(key, html)
  lists.set(body, list)
}

/** Applies what may be applied now; returns whether anything changed. */
export function applyWaitingRows() {
  let changed = false
  for (const [body, list] of lists) {
    const shown = rowsOf(body)
    for (const [key, html] of list.rows) {
      const row = shown.get(key)
      if (!row || isInUse(row)) continue
      const outcome = update(row, html)
      if (outcome !== 'waits') list.rows.delete(key)
      if (outcome === 'changed') changed = true
    }
    const button = findButton(body)
    const isHeld = isInUse(body) || (button !== undefined && isInUse(button))
    if (!isHeld && arrange(body, shown, list)) changed = true
    if (button) announce(button, isHeld ? list.order.filter((key) => !shown.has(key)).length : 0)
    for (const key of list.rows.keys()) if (!list.order.includes(key)) list.rows.delete(key)
  }
  return changed
}

/** @param {Element} body */
function rowsOf(body) {
  return new Map([...body.children].map((row) => [row.getAttribute('data-key') ?? '', row]))
}

/**
 * Changes the content of a row, which stays the same element. Opened details stay open.
 * @param {Element} row
 * @param {string} html
 */
function update(row, html) {
  const next = toRow(html)
  if (!next || row.isEqualNode(next)) return 'same'
  const open = [...row.querySelectorAll('details')].map((details) => details.open)
  for (const [index, details] of next.querySelectorAll('details').entries()) details.open ||= open[index] ?? false
  if (!replaceInPlace(row, next.childNodes)) return 'waits'
  row.className = next.className
  return 'changed'
}

/**
 * Adds, removes and moves rows.
 * @param {Element} body
 * @param {Map<string, Element>} shown
 * @param {List} list
 */
function arrange(body, shown, { order, rows }) {
  let changed = false
  for (const [key, row] of shown) {
    if (order.includes(key)) continue
    row.remove()
    changed = true
  }
  let next = body.firstElementChild
  for (const key of order) {
    const row = shown.get(key) ?? toNewRow(key, rows)
    if (!row) continue
    if (row === next) next = row.nextElementSibling
    else {
      body.insertBefore(row, next)
      changed = true
    }
  }
  return changed
}

/**
 * The changes of rows that are shown go on waiting.
 * @param {string} key
 * @param {Map<string, string>} rows
 */
function toNewRow(key, rows) {
  const row = toRow(rows.get(key) ?? '')
  rows.delete(key)
  return row
}

/** @param {string} html */
function toRow(html) {
  const template = document.createElement('template')
  template.innerHTML = html
  return template.content.firstElementChild
}

/** @param {Element} body */
function findButton(body) {
  const button = document.querySelector(`[data-news-for="${body.id}"]`)
  if (!(button instanceof HTMLButtonElement)) return undefined
  button.onclick = ({ detail }) => showNews(body, button, detail === 0)
  return button
}

/**
 * @param {HTMLButtonElement} button
 * @param {number} count
 */
function announce(button, count) {
  button.hidden = count === 0
  const text = `${count} new`
  if (count > 0 && button.textContent !== text) button.textContent = text
}

/**
 * @param {Element} body
 * @param {HTMLButtonElement} button
 * @param {boolean} isByKeyboard The focus then goes to the first new row; a pointer leaves no focus, which would hold
 * the list.
 */
function showNews(body, button, isByKeyboard) {
  const list = lists.get(body)
  if (!list) return
  const shown = rowsOf(body)
  arrange(body, shown, list)
  const first = [...body.children].find((row) => !shown.has(row.getAttribute('data-key') ?? ''))
  if (isByKeyboard && first instanceof HTMLElement) {
    first.tabIndex = -1
    first.focus()
  }
  button.hidden = true
  document.dispatchEvent(new Event('live'))
}
