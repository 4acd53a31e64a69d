/**
 * Keys and where each was first seen, in one block of numbers: nothing in it is looked at when garbage is collected, and
 * remembering costs no object.
 * In: keys as `keyOf` makes them, whose lower bits are as good as chance; places in the log. Out: the place of a key.
 */
export interface SeenKeys {
  /** Of keys that are asked for next: memory answers for all of them at once, rather than for one after the other. */
  fetch(keys: readonly number[]): void
  find(key: number): number | undefined
  /** Of a key that `find` does not know. */
  add(key: number, seq: number): void
  forget(key: number, seq: number): void
  /** With what was forgotten. */
  size(): number
}

/** Nobody reads it; what nobody keeps would not be fetched. */
const fetched = { sum: 0 }
const fewestSlots = 8
const forgotten = -1

/** @param expected How many there are going to be, as far as that is known. */
export function createSeenKeys(expected = 0): SeenKeys {
  let mask = fewestSlots - 1
  while (isFull(expected, mask)) mask = mask * 2 + 1
  /** Keys and places in turn. A key stands in the first free slot from the one that its lower bits name; 0 is free. */
  let cells = new Float64Array((mask + 1) * 2)
  let size = 0

  function cellOf(key: number): number {
    let slot = key & mask
    for (;;) {
      const there = cells[slot * 2]
      if (there === key || there === 0) return slot * 2
      slot = (slot + 1) & mask
    }
  }

  function put(key: number, seq: number): void {
    const cell = cellOf(key)
    if (cells[cell] === 0) size++
    cells[cell] = key
    cells[cell + 1] = seq
  }

  function double(): void {
    const before = cells
    mask = mask * 2 + 1
    cells = new Float64Array((mask + 1) * 2)
    size = 0
    for (let cell = 0; cell < before.length; cell += 2) {
      const seq = before[cell + 1] ?? 0
      if (before[cell] !== 0 && seq !== forgotten) put(before[cell] ?? 0, seq)
    }
  }

  return {
    fetch(keys) {
      let sum = 0
      for (const key of keys) sum += cells[(key & mask) * 2] ?? 0
      fetched.sum = sum
    },
    find(key) {
      const cell = cellOf(key)
      const seq = cells[cell + 1]
      return cells[cell] === 0 || seq === forgotten ? undefined : seq
    },
    add(key, seq) {
      put(key, seq)
      if (isFull(size, mask)) double()
    },
    forget(key, seq) {
      const cell = cellOf(key)
      if (cells[cell + 1] === seq) cells[cell + 1] = forgotten
    },
    size: () => size,
  }
}

function isFull(size: number, mask: number): boolean {
  return size * 4 > mask * 3
}
