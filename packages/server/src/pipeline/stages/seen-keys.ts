/**
 * A hash table of position keys with open addressing: each key with the seq of the report that had it first. It holds plain
 * numbers, so a key needs no object and the garbage collector does not visit it: with 100 positions in a report, a `Map`
 * costs a tenth of the ingest.
 * In: keys of `keyOf`, whose lower bits are evenly distributed. Out: the seq of a key.
 */
export interface SeenKeys {
  find(key: number): number | undefined
  /** The key must not be in the table. */
  add(key: number, seq: number): void
  /** Returns whether the key was there with this seq. */
  remove(key: number, seq: number): boolean
  size(): number
}

const initialSlots = 8
const removed = -1

export function createSeenKeys(): SeenKeys {
  let mask = initialSlots - 1
  /** Keys and seqs in turn. A key is in the first free slot from the one that its lower bits name; key 0 marks a free slot. */
  let cells = new Float64Array(initialSlots * 2)
  let used = 0
  let size = 0

  /** Returns the cell of the key, or the free cell where it belongs. */
  function cellOf(key: number): number {
    let slot = key & mask
    while (cells[slot * 2] !== key && cells[slot * 2] !== 0) slot = (slot + 1) & mask
    return slot * 2
  }

  function put(key: number, seq: number): void {
    const cell = cellOf(key)
    if (cells[cell] === 0) used++
    cells[cell] = key
    cells[cell + 1] = seq
    size++
  }

  function double(): void {
    const before = cells
    mask = mask * 2 + 1
    cells = new Float64Array((mask + 1) * 2)
    used = 0
    size = 0
    for (let cell = 0; cell < before.length; cell += 2) {
      const key = before[cell] ?? 0
      const seq = before[cell + 1] ?? 0
      if (key !== 0 && seq !== removed) put(key, seq)
    }
  }

  return {
    find(key) {
      const cell = cellOf(key)
      return cells[cell] === 0 || cells[cell + 1] === removed ? undefined : cells[cell + 1]
    },
    add(key, seq) {
      put(key, seq)
      if (used * 4 > mask * 3) double()
    },
    remove(key, seq) {
      const cell = cellOf(key)
      if (cells[cell] !== key || cells[cell + 1] !== seq) return false
      cells[cell + 1] = removed
      size--
      return true
    },
    size: () => size,
  }
}
