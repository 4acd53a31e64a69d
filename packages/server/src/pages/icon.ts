/**
 * The mark of the pages: a position and the arcs of its reports. Shown beside the name, and as the icon of browser
 * tabs.
 */
import { createHash } from 'node:crypto'

/** Paths in a square of 24, drawn with a stroke of 2. */
export const markPaths = {
  dot: 'M7 15.5a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0',
  arcs: 'M8.5 9a6.5 6.5 0 0 1 6.5 6.5M8.5 3.5a12 12 0 0 1 12 12',
}

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5" fill="#0b5a94"/><g fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" transform="translate(0 1)"><path d="${markPaths.dot}" fill="#fff"/><path d="${markPaths.arcs}"/></g></svg>`

export const iconPath = `/posrep-assets/${createHash('sha256').update(icon).digest('hex').slice(0, 16)}.svg`
