/**
 * A list that is kept current. In: its entries, in their order. Out: its items: each stays the same element, so that
 * the focus and a press of a button stay. While the list is in use, items stay where they are, and new ones come last.
 */
import { isInUse } from '../../../browser/hold.js'

export interface Entry {
  key: string
  /** Another one when the item is to be made again. */
  version: string
  toItem(): Element
}

export function showEntries(list: Element, entries: readonly Entry[]): void {
  // From the server.
  for (const item of [...list.children]) if (!item.hasAttribute('data-key')) item.remove()
  const known = new Map([...list.children].map((item) => [item.getAttribute('data-key'), item]))
  const items = entries.map((entry) => toCurrent(entry, known.get(entry.key)))
  if (isInUse(list)) list.append(...items.filter((item) => item.parentElement !== list))
  else if (items.length !== list.children.length || items.some((item, index) => item !== list.children[index])) {
    list.replaceChildren(...items)
  }
  document.dispatchEvent(new Event('live'))
}

function toCurrent({ key, version, toItem }: Entry, known: Element | undefined): Element {
  if (known?.getAttribute('data-version') === version) return known
  const item = toItem()
  item.setAttribute('data-key', key)
  item.setAttribute('data-version', version)
  if (!known) return item
  become(known, item)
  return known
}

/** Changes only what differs. */
function become(element: Element, next: Element): void {
  // What the user has opened stays open.
  const isGone = (name: string) => !next.hasAttribute(name) && name !== 'open'
  for (const name of element.getAttributeNames()) if (isGone(name)) element.removeAttribute(name)
  for (const name of next.getAttributeNames()) element.setAttribute(name, next.getAttribute(name) ?? '')
  const children = [...next.childNodes]
  for (const [index, child] of children.entries()) {
    const own = element.childNodes[index]
    if (own instanceof Element && child instanceof Element && own.tagName === child.tagName) become(own, child)
    else if (!own) element.append(child)
    else if (!own.isEqualNode(child)) own.replaceWith(child)
  }
  while (element.childNodes.length > children.length) element.lastChild?.remove()
}
