// @ts-check
/**
 * Rows that the pointer or the focus is on stay where they are: a change that would move one waits until none is in
 * use.
 */

/** The pointer of a touch screen stays where it touched last, so it does not hold a list. */
const hovers = matchMedia('(hover: hover)').matches

/**
 * Elements whose change waits.
 * @type {WeakSet<Element>}
 */
const moving = new WeakSet()

/** @param {Element} element */
export function isInUse(element) {
  const isFocused = element.contains(document.activeElement)
  return isFocused || (hovers && element.matches(':hover')) || element.querySelector(':popover-open') !== null
}

/**
 * Replaces the content of an element; returns false, and changes nothing, if that would move a row in use.
 * @param {Element} element
 * @param {Iterable<Node>} next
 */
export function replaceInPlace(element, next) {
  const rows = [...document.querySelectorAll('[data-live-rows] > *')].filter(isInUse)
  if (rows.length === 0) moving.delete(element)
  if (moving.has(element)) return false
  const toBoxes = () => rows.map((row) => JSON.stringify(row.getBoundingClientRect())).join()
  const [content, boxes] = [[...element.childNodes], toBoxes()]
  element.replaceChildren(...next)
  if (toBoxes() === boxes) return true
  element.replaceChildren(...content)
  moving.add(element)
  return false
}
