/** Converts the replies of a log's scripts. In: replies. Out: rows, whose text is the body or its name. */
import type { BuriedEntry, Lease } from '../../../ports/storage/log.ts'
import { toRows, toTexts } from '../link/reply.ts'

export interface Row {
  seq: number
  appendedAtMs: number
  /** The body, or its name. */
  text: string
  isNamed: boolean
}

export function toLeasedRows(row: unknown): Pick<Lease, 'queue' | 'fence'> & { rows: Row[] } {
  const [queue, fence, entries] = toRows(row)
  return { queue: String(queue), fence: Number(fence), rows: toRows(entries).map(toRow) }
}

/** The size of the body in bytes; the name of a body ends with it. */
export function toBytes({ text, isNamed }: Pick<Row, 'text' | 'isNamed'>): number {
  return isNamed ? Number(text.slice(text.lastIndexOf(':') + 1)) : Buffer.byteLength(text)
}

/** `[id, ['at', time, 'body', text]]`, or `'name'` and a name. */
export function toRow(row: unknown): Row {
  const [id, fields] = toRows(row)
  const [, at, field, text = ''] = toTexts(fields)
  return { seq: Number.parseInt(String(id), 10), appendedAtMs: Number(at), text, isNamed: field === 'name' }
}

export function toBuried(row: unknown): Omit<BuriedEntry, 'body'> & Row {
  const [seq, queue = '', at, body = '', reason = '', buriedAt, name = ''] = toTexts(row)
  const buried = { seq: Number(seq), queue, appendedAtMs: Number(at), reason, buriedAtMs: Number(buriedAt) }
  return { ...buried, text: name || body, isNamed: name !== '' }
}
