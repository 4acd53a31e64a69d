/** Converts the replies of a log's scripts. In: replies. Out: rows, whose text is the body or its name. */
import type { BuriedEntry, Lease } from '../../../ports/storage/log.ts'
import { toRows, toTexts } from '../link/reply.ts'
import { type Partition, toSeq } from './partition-seqs.ts'

export interface Row {
  seq: number
  appendedAtMs: number
  /** The body, or its name. */
  text: string
  isNamed: boolean
}

export interface LeasedRows extends Pick<Lease, 'queue' | 'fence'> {
  rows: Row[]
  /** The time from which the queue could be leased. */
  readyAtMs: number
}

export function toLeasedRows(row: unknown, partition: Partition): LeasedRows {
  const [queue, fence, entries, readyAtMs] = toRows(row)
  const rows = toRows(entries).map((entry) => toRow(entry, partition))
  return { queue: String(queue), fence: Number(fence), rows, readyAtMs: Number(readyAtMs) }
}

/** The size of the body in bytes; the name of a body ends with it. */
export function toBytes({ text, isNamed }: Pick<Row, 'text' | 'isNamed'>): number {
  return isNamed ? Number(text.slice(text.lastIndexOf(':') + 1)) : Buffer.byteLength(text)
}

/** `[id, ['at', time, 'body', text]]`, or `'name'` and a name. */
export function toRow(row: unknown, partition: Partition): Row {
  const [id, fields] = toRows(row)
  const [, at, field, text = ''] = toTexts(fields)
  const seq = toSeq(Number.parseInt(String(id), 10), partition)
  return { seq, appendedAtMs: Number(at), text, isNamed: field === 'name' }
}

export function toBuried(row: unknown, partition: Partition): Omit<BuriedEntry, 'body'> & Row {
  const [seq, queue = '', at, body = '', reason = '', buriedAt, name = ''] = toTexts(row)
  const times = { appendedAtMs: Number(at), buriedAtMs: Number(buriedAt) }
  return { seq: toSeq(Number(seq), partition), queue, reason, ...times, text: name || body, isNamed: name !== '' }
}
