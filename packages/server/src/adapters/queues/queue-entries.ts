/**
 * The waiting entries of one queue, as columns: an object per entry would take several times the memory.
 * In: seqs that increase, append times and sizes. Out: entries by index, their number and their bytes. The first valid
 * index is `head`.
 */
export interface QueueEntries {
  /** In order, as are the times and the sizes. */
  seqs: number[]
  times: number[]
  sizes: number[]
  head: number
  /** Of all entries. */
  bytes: number
}

export interface QueuedEntry {
  seq: number
  appendedAtMs: number
  /** The size of the body. */
  bytes: number
}

/** The unused start of an array is cut off when it is longer than this and at least half of the array. */
const minUnusedStart = 64

export function noEntries(): QueueEntries {
  return { seqs: [], times: [], sizes: [], head: 0, bytes: 0 }
}

export function pushEntry(entries: QueueEntries, { seq, appendedAtMs, bytes }: QueuedEntry): void {
  entries.seqs.push(seq)
  entries.times.push(appendedAtMs)
  entries.sizes.push(bytes)
  entries.bytes += bytes
}

/** Removes entries. Stops reading at the last one; the entries before it that stay are moved towards the tail. */
export function removeEntries(entries: QueueEntries, gone: ReadonlySet<number>): void {
  let left = gone.size
  let end = entries.head
  const stay: number[] = []
  for (; end < entries.seqs.length && left > 0; end++) {
    if (gone.has(seqAt(entries, end))) {
      left--
      entries.bytes -= sizeAt(entries, end)
    } else stay.push(end)
  }
  let head = end
  for (const from of stay.reverse()) {
    head--
    entries.seqs[head] = seqAt(entries, from)
    entries.times[head] = timeAt(entries, from)
    entries.sizes[head] = sizeAt(entries, from)
  }
  moveHead(entries, head)
}

/**
 * Removes the oldest entries while there are more than `limit.entries`, and until `limit.bytes` are removed. Returns
 * their seqs.
 */
export function takeOldest(entries: QueueEntries, limit: { entries: number; bytes: number }): number[] {
  const end = entries.bytes - limit.bytes
  const newest = entries.seqs.length - 1
  let head = entries.head
  for (; head < newest && (entries.seqs.length - head > limit.entries || entries.bytes > end); head++) {
    entries.bytes -= sizeAt(entries, head)
  }
  if (head === entries.head) return []
  const taken = entries.seqs.slice(entries.head, head)
  moveHead(entries, head)
  return taken
}

function moveHead(entries: QueueEntries, head: number): void {
  entries.head = head
  if (head <= minUnusedStart || head * 2 < entries.seqs.length) return
  entries.seqs = entries.seqs.slice(head)
  entries.times = entries.times.slice(head)
  entries.sizes = entries.sizes.slice(head)
  entries.head = 0
}

export function lengthOf(entries: QueueEntries): number {
  return entries.seqs.length - entries.head
}

/** The index of the first entry after `seq`. */
export function firstAbove(entries: QueueEntries, seq: number): number {
  let from = entries.head
  let to = entries.seqs.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (seqAt(entries, middle) > seq) to = middle
    else from = middle + 1
  }
  return from
}

export function seqAt(entries: QueueEntries, index: number): number {
  return entries.seqs[index] ?? 0
}

export function timeAt(entries: QueueEntries, index: number): number {
  return entries.times[index] ?? 0
}

function sizeAt(entries: QueueEntries, index: number): number {
  return entries.sizes[index] ?? 0
}
