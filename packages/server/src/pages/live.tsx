/**
 * The parts of a page that are kept current while it is open.
 * In: an id, and content or rows with keys. Out: an element, and its HTML in the page's `LiveParts`, from which
 * `portal/live-updates.ts` sends what has changed and `browser/live.js` applies it.
 */
import { type ComponentChildren, cloneElement, createContext, Fragment, type JSX, type VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { renderToString } from 'preact-render-to-string'

export interface LiveRow {
  key: string
  html: string
}

/** The HTML of each part, by its id. */
export interface LiveParts {
  contents: Map<string, string>
  lists: Map<string, LiveRow[]>
}

export function createLiveParts(): LiveParts {
  return { contents: new Map(), lists: new Map() }
}

const Parts = createContext<LiveParts | undefined>(undefined)

/** Collects the parts of the page inside it. */
export const LivePartsProvider = Parts.Provider

export interface LiveProps {
  /** Unique on the page. */
  id: string
  /** Default `div`. */
  as?: 'div' | 'p' | 'dl' | 'span'
  class?: string
  hidden?: boolean
  /** Without other live parts. */
  children: ComponentChildren
}

/** An element whose content is replaced as a whole, except while a control in it has the focus or the pointer. */
export function Live({ id, as: Element = 'div', children, ...attributes }: LiveProps): JSX.Element {
  // Before the content is rendered: hooks belong to the component that is rendered now.
  const parts = useContext(Parts)
  const html = toHtmlText(children)
  parts?.contents.set(id, html)
  return <Element id={id} {...attributes} data-live {...withHtml(html)} />
}

export interface LiveRowsProps {
  /** Unique on the page. */
  id: string
  /** Default `tbody`. */
  as?: 'tbody' | 'ul'
  class?: string
  rows: VNode[]
}

/** The rows of a list, each with a unique `key`. A row keeps its place while the list has the focus or the pointer. */
export function LiveRows({ id, as: Element = 'tbody', rows, ...attributes }: LiveRowsProps) {
  const parts = useContext(Parts)
  const list = rows.map((row): LiveRow => {
    const key = String(row.key)
    return { key, html: toHtmlText(cloneElement(row, { 'data-key': key })) }
  })
  parts?.lists.set(id, list)
  return <Element id={id} {...attributes} data-live-rows {...withHtml(list.map(({ html }) => html).join(''))} />
}

/** The button behind which new rows wait while the list `id` is in use. Shown by `browser/live.js` only. */
export function NewRows({ id }: { id: string }) {
  return (
    <button type="button" class="news" data-news-for={id} aria-live="polite" hidden>
      new
    </button>
  )
}

function toHtmlText(children: ComponentChildren): string {
  return renderToString(<Fragment>{children}</Fragment>)
}

/** HTML that this module has rendered, so its texts are escaped. */
function withHtml(html: string) {
  return { dangerouslySetInnerHTML: { __html: html } }
}
