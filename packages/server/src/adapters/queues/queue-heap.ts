/**
 * Queues by when they may be leased, soonest first; of the same time the one that was put in earlier.
 * In: lines whose time was set. Out: the first of them. A line knows its place, so that each step costs O(log lines).
 */
export interface Placed {
  readyAtMs: number
  /** Counts up with each time that was set. */
  order: number
  /** Where it stands; kept by the heap, -1 outside of it. */
  place: number
}

export interface QueueHeap<L extends Placed> {
  first(): L | undefined
  /** Puts it in, or where it belongs after its time has changed. */
  put(queue: L): void
  remove(queue: L): void
  queues(): readonly L[]
}

export function createQueueHeap<L extends Placed>(): QueueHeap<L> {
  const heap: L[] = []

  function isBefore(a: L, b: L): boolean {
    return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order)
  }

  function set(queue: L, place: number): void {
    heap[place] = queue
    queue.place = place
  }

  function rise(queue: L): void {
    let place = queue.place
    while (place > 0) {
      const above = (place - 1) >> 1
      const other = heap[above]
      if (!other || !isBefore(queue, other)) break
      set(other, place)
      place = above
    }
    set(queue, place)
  }

  function sink(queue: L): void {
    let place = queue.place
    for (;;) {
      const left = heap[2 * place + 1]
      const right = heap[2 * place + 2]
      const below = right && left && isBefore(right, left) ? right : left
      if (!below || !isBefore(below, queue)) break
      const next = below.place
      set(below, place)
      place = next
    }
    set(queue, place)
  }

  function settle(queue: L): void {
    rise(queue)
    sink(queue)
  }

  return {
    first: () => heap[0],
    put(queue) {
      if (queue.place < 0) set(queue, heap.length)
      settle(queue)
    },
    remove(queue) {
      const last = heap.pop()
      if (last && last !== queue) {
        set(last, queue.place)
        settle(last)
      }
      queue.place = -1
    },
    queues: () => heap,
  }
}
