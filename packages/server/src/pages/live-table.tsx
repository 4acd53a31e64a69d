/** A table whose rows are kept current. In: its columns, and rows with keys. Out: the table, in a box that scrolls. */
import type { JSX, VNode } from 'preact'
import { LiveRows, NewRows } from './live.tsx'

export interface LiveTableProps {
  /** Unique on the page. */
  id: string
  /** Classes of the box, besides its own. */
  class?: string
  columns: readonly Column[]
  rows: VNode[]
}

/** The text of a header, one that only screen readers read, or a header of its own. */
type Column = string | { unseen: string } | JSX.Element

export function LiveTable({ id, class: given = '', columns, rows }: LiveTableProps) {
  return (
    <div class={`${given} scroll stacks list`.trimStart()}>
      <NewRows id={id} />
      <table>
        <thead>
          <tr>{columns.map(toHeader)}</tr>
        </thead>
        <LiveRows id={id} rows={rows} />
      </table>
    </div>
  )
}

function toHeader(column: Column): JSX.Element {
  if (typeof column === 'object' && !('unseen' in column)) return column
  const text = typeof column === 'string' ? column : column.unseen
  return (
    <th key={text} scope="col">
      {typeof column === 'string' ? text : <span class="unseen">{text}</span>}
    </th>
  )
}
