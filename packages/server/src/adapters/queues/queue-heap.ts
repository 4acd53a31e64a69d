/**
 * Lines by when they may be leased, soonest first; of the same time the one that was put in earlier.
 * In: lines whose time was set. Out: the first of them. A line knows its place, so that each step costs O(log lines).
 */
export interface Placed {
  readyAtMs: number
  /** Counts up with each time that was set. */
  order: number
  /** Where it stands; kept by the heap, -1 outside of it. */
  place: number
}

export interface LineHeap<L extends Placed> {
  first(): L | undefined
  /** Puts it in, or where it belongs after its time has changed. */
  put(line: L): void
  remove(line: L): void
  lines(): readonly L[]
}

export function createLineHeap<L extends Placed>(): LineHeap<L> {
  const heap: L[] = []

  function isBefore(a: L, b: L): boolean {
    return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order)
  }

  function set(line: L, place: number): void {
    heap[place] = line
    line.place = place
  }

  function rise(line: L): void {
    let place = line.place
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = heap[above]
      if (!other || !isBefore(line, other)) break
      set(other, place)
      place = above
    }
    set(line, place)
  }

  function sink(line: L): void {
    let place = line.place
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      const below = right && left && isBefore(right, left) ? right : left
      if (!below || !isBefore(below, line)) break
      const next = below.place
      set(below, place)
      place = next
    }
    set(line, place)
  }

  function settle(line: L): void {
    rise(line)
    sink(line)
  }

  return {
    first: () => heap[0],
    put(line) {
      if (line.place < 0) set(line, heap.length)
      settle(line)
    },
    remove(line) {
      const last = heap.pop()
      if (last && last !== line) {
        set(last, line.place)
        settle(last)
      }
      line.place = -1
    },
    lines: () => heap,
  }
}
