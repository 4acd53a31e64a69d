/**
 * A binary heap of queues, ordered by the time when they can be leased. Queues with the same time keep the order in
 * which the time was set. A queue knows its index in the heap, so that each step costs O(log queues).
 */
export interface HeapItem {
  readyAtMs: number
  /** Increases with each time that is set. */
  order: number
  /** The index in the heap, which sets it; -1 while the queue is not in the heap. */
  index: number
}

export interface QueueHeap<Q extends HeapItem> {
  first(): Q | undefined
  /** Adds the queue, or moves it after its time has changed. */
  put(queue: Q): void
  remove(queue: Q): void
  queues(): readonly Q[]
}

export function createQueueHeap<Q extends HeapItem>(): QueueHeap<Q> {
  const heap: Q[] = []

  function isBefore(a: Q, b: Q): boolean {
    return a.readyAtMs < b.readyAtMs || (a.readyAtMs === b.readyAtMs && a.order < b.order)
  }

  function set(queue: Q, index: number): void {
    heap[index] = queue
    queue.index = index
  }

  function siftUp(queue: Q): void {
    let index = queue.index
    while (index > 0) {
      const above = (index - 1) >> 1
      const other = heap[above]
      if (!other || !isBefore(queue, other)) break
      set(other, index)
      index = above
    }
    set(queue, index)
  }

  function siftDown(queue: Q): void {
    let index = queue.index
    for (;;) {
      const left = heap[2 * index + 1]
      const right = heap[2 * index + 2]
      const below = right && left && isBefore(right, left) ? right : left
      if (!below || !isBefore(below, queue)) break
      const next = below.index
      set(below, index)
      index = next
    }
    set(queue, index)
  }

  function reorder(queue: Q): void {
    siftUp(queue)
    siftDown(queue)
  }

  return {
    first: () => heap[0],
    put(queue) {
      if (queue.index < 0) set(queue, heap.length)
      reorder(queue)
    },
    remove(queue) {
      const last = heap.pop()
      if (last && last !== queue) {
        set(last, queue.index)
        reorder(last)
      }
      queue.index = -1
    },
    queues: () => heap,
  }
}
