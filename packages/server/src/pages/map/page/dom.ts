/** Short ways to find and make elements. */
export function find<E extends HTMLElement>(root: ParentNode, selector: string): E {
  const found = root.querySelector<E>(selector)
  if (!found) throw new Error(`The page has no ${selector}`)
  return found
}

type Child = Node | string | undefined | false

/** @param attributes `class`, `title` and so on; one that is undefined is left out. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value)
  element.append(...children.filter((child) => child !== undefined && child !== false))
  return element
}

/** Changes the text only if it differs, so that nothing is laid out for nothing. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

const shapes = {
  good: 'M3 8.5l3.2 3.2L13 5',
  quiet: 'M4 8h8',
  bad: 'M4 4l8 8M12 4l-8 8',
  busy: 'M8 2a6 6 0 1 0 0 12a6 6 0 1 0 0-12M8 5v3l2 1.5',
}

/** As `layout/badge.tsx`: an icon and a word. */
export function badge(tone: keyof typeof shapes, text: string): HTMLElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [name, value] of Object.entries({
    viewBox: '0 0 16 16',
    width: '14',
    height: '14',
    'aria-hidden': 'true',
  })) {
    svg.setAttribute(name, value)
  }
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', shapes[tone])
  svg.append(path)
  return make('span', { class: `state ${tone}` }, svg, text)
}

/** A time that `times.js` keeps current. */
export function time(atMs: number): HTMLElement {
  const iso = new Date(atMs).toISOString()
  return make(
    'time',
    { class: 'time', datetime: iso, 'data-past': '', 'data-exact': `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC` },
    `${iso.slice(11, 19)} UTC`,
  )
}
