/**
 * A binary heap of lines by the time when they may be leased; at the same time the one that was put in earlier is first.
 * A line knows its index in the heap, so that each step costs O(log lines).
 */
export interface HeapItem {
  readyAtMs: number
  /** Counts up with each time that was set. */
  order: number
  /** In the heap, which sets it; -1 outside of it. */
  index: number
}

export interface LineHeap<L extends HeapItem> {
  first(): L | undefined
  /** Adds the line, or moves it after its time has changed. */
  put(line: L): void
  remove(line: L): void
  lines(): readonly L[]
}

export function createLineHeap<L extends HeapItem>(): LineHeap<L> {
  const heap: L[] = []

  function isBefore(a: L, b: L): boolean {
    return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order)
  }

  function set(line: L, index: number): void {
    heap[index] = line
    line.index = index
  }

  function rise(line: L): void {
    let index = line.index
    while (index > 0) {
      const above = (index - 1) >> 1
      const other = heap[above]
      if (!other || !isBefore(line, other)) break
      set(other, index)
      index = above
    }
    set(line, index)
  }

  function sink(line: L): void {
    let index = line.index
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const below = right && left && isBefore(right, left) ? right : left
      if (!below || !isBefore(below, line)) break
      const next = below.index
      set(below, index)
      index = next
    }
    set(line, index)
  }

  function settle(line: L): void {
    rise(line)
    sink(line)
  }

  return {
    first: () => heap[0],
    put(line) {
      if (line.index < 0) set(line, heap.length)
      settle(line)
    },
    remove(line) {
      const last = heap.pop()
      if (last && last !== line) {
        set(last, line.index)
        settle(last)
      }
      line.index = -1
    },
    lines: () => heap,
  }
}
