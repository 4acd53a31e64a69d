/**
 * What has changed in the live parts of a page since they were last sent.
 * In: the live parts. Out: the contents and rows that differ, and the order of lists that differ. Times tick in the
 * browser, and form tokens are masked anew each time, so neither counts as a change.
 */
import { hash } from 'node:crypto'
import type { LiveParts } from '../pages/live.tsx'

export interface Changed {
  /** By the id of the part. */
  contents: Record<string, string>
  /** By the id of the list: the keys of all its rows, and the rows that differ. */
  lists: Record<string, { order: string[]; rows: Record<string, string> }>
}

export interface Changes {
  /** Undefined without a change. The first call returns everything. */
  since(parts: LiveParts): Changed | undefined
}

export function createChanges(): Changes {
  const sent = new Map<string, string>()

  /** Whether the text differs from what was sent under this name; then it counts as sent. */
  function isNew(name: string, text: string): boolean {
    const digest = hash('sha1', text, 'base64')
    if (sent.get(name) === digest) return false
    sent.set(name, digest)
    return true
  }

  return {
    since({ contents, lists }) {
      const changed: Changed = { contents: {}, lists: {} }
      for (const [id, html] of contents) if (isNew(id, toStable(html))) changed.contents[id] = html
      for (const [id, rows] of lists) {
        const order = rows.map(({ key }) => key)
        const different = rows.filter(({ key, html }) => isNew(`${id} ${key}`, toStable(html)))
        const isReordered = isNew(`${id} `, order.join('\n'))
        if (!isReordered && different.length === 0) continue
        changed.lists[id] = { order, rows: Object.fromEntries(different.map(({ key, html }) => [key, html])) }
        forgetRows(id, new Set(order))
      }
      const isSame = Object.keys(changed.contents).length === 0 && Object.keys(changed.lists).length === 0
      return isSame ? undefined : changed
    },
  }

  /** Rows that left the list are sent again if they come back. */
  function forgetRows(id: string, keys: Set<string>): void {
    for (const name of sent.keys()) {
      const key = name.startsWith(`${id} `) ? name.slice(id.length + 1) : ''
      if (key !== '' && !keys.has(key)) sent.delete(name)
    }
  }
}

function toStable(html: string): string {
  return html.replace(/(<time [^<>]*>)[^<]*/g, '$1').replace(/name="form_token" value="[^"]*"/g, '')
}
