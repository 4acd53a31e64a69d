/**
 * The queues of a log, one per device, in the process that works on it: which entries wait, which queues are leased.
 * In: seqs of entries, as they come and go. Out: leases on the heads of queues. The bodies of entries are kept elsewhere.
 * No step reads more than it changes: a million entries may wait, and queues may be long.
 */
import type { Lease, LogDepth } from '../../ports/log.ts'
import { createLineHeap, type HeapItem } from './queue-heap.ts'

interface Line extends HeapItem {
  name: string
  /** Seqs of the entries and when they were appended, in order, from `head` on. */
  seqs: number[]
  times: number[]
  head: number
  /** 0 = not leased since it was settled. */
  fence: number
  /** Woken while it was held. */
  woken: boolean
}

export interface HeldLine {
  name: string
  fence: number
  entries: { seq: number; appendedAtMs: number }[]
}

export interface Lines {
  /** At the tail; `seq` is above those of all earlier entries. */
  append(name: string, seq: number, appendedAtMs: number, nowMs: number): void
  /** Removes the oldest entries of a queue that is longer than `perLine`. Returns their seqs. */
  trim(name: string, perLine: number): number[]
  lease(options: { lines: number; entries: number; leaseMs: number }, nowMs: number): HeldLine[]
  /** Whether the lease is still the latest one. */
  isHeldBy(lease: Pick<Lease, 'line' | 'fence'>): boolean
  /** Whether the queue may be leased only later, and is not leased now. */
  isResting(name: string, nowMs: number): boolean
  has(name: string, seq: number): boolean
  /** Those of `seqs` that wait in the queue, in its order. */
  among(name: string, seqs: Iterable<number>): number[]
  /** Removes entries; a lease goes on. */
  remove(name: string, seqs: Iterable<number>): void
  /** Removes entries, and ends the lease if it is still the latest one. */
  settle(lease: Pick<Lease, 'line' | 'fence'>, gone: Iterable<number>, nowMs: number, holdUntilMs?: number): void
  wake(name: string, nowMs: number): void
  /** How many entries wait, in all queues or in one, and since when. */
  depth(name?: string): Pick<LogDepth, 'waiting' | 'oldestAppendedAtMs'>
  seqs(name: string, options: { afterSeq?: number; limit: number }): number[]
  /** Removes all entries and ends all leases. */
  clear(): void
}

/** Used slots of an array are removed when they are more than half of it, and more than this. */
const slack = 64
/** Empty queues that are kept for the next entry: a new one per entry would be garbage for the slow collector. */
const mostIdle = 10_000

export function createLines(): Lines {
  const byName = new Map<string, Line>()
  const heap = createLineHeap<Line>()
  let waiting = 0
  let idle = 0
  let orders = 0
  // One counter for all queues, so that a late holder of an emptied queue cannot settle a newer lease.
  let fences = 0
  let oldest: { line: Line; seq: number } | undefined

  function at(line: Line, readyAtMs: number): void {
    line.readyAtMs = readyAtMs
    line.order = ++orders
    heap.put(line)
  }

  function lengthOf(line: Line): number {
    return line.seqs.length - line.head
  }

  function moveHead(line: Line, head: number): void {
    waiting -= head - line.head
    line.head = head
    if (head <= slack || head * 2 < line.seqs.length) return
    line.seqs = line.seqs.slice(head)
    line.times = line.times.slice(head)
    line.head = 0
  }

  /** Reads up to the last entry that goes; those that stay move towards the tail. */
  function takeOut(line: Line, gone: ReadonlySet<number>): void {
    let left = gone.size
    let end = line.head
    const stay: number[] = []
    for (; end < line.seqs.length && left > 0; end++) {
      if (gone.has(seqAt(line, end))) left--
      else stay.push(end)
    }
    let head = end
    for (const from of stay.reverse()) {
      head--
      line.seqs[head] = seqAt(line, from)
      line.times[head] = timeAt(line, from)
    }
    moveHead(line, head)
  }

  function remove(name: string, seqs: Iterable<number>): void {
    const line = byName.get(name)
    if (!line) return
    takeOut(line, new Set(seqs))
    if (lengthOf(line) === 0) retire(line)
  }

  /** For an empty queue; its lease ends. */
  function retire(line: Line): void {
    if (line.index < 0) return
    heap.remove(line)
    line.fence = 0
    line.readyAtMs = 0
    if (idle < mostIdle) idle++
    else byName.delete(line.name)
  }

  /** The queue, which is in the heap then. */
  function lineFor(name: string, nowMs: number): Line {
    let line = byName.get(name)
    if (line && line.index >= 0) return line
    if (line) idle--
    else {
      line = { name, seqs: [], times: [], head: 0, fence: 0, woken: false, readyAtMs: 0, order: 0, index: -1 }
      byName.set(name, line)
    }
    line.woken = false
    at(line, nowMs)
    return line
  }

  /** The queue with the oldest entry of all. While that entry is at its head, later ones are younger. */
  function findOldest(): Line | undefined {
    if (oldest && byName.get(oldest.line.name) === oldest.line && seqAt(oldest.line, oldest.line.head) === oldest.seq) {
      return oldest.line
    }
    let found: Line | undefined
    for (const line of heap.lines()) if (!found || seqAt(line, line.head) < seqAt(found, found.head)) found = line
    oldest = found && { line: found, seq: seqAt(found, found.head) }
    return found
  }

  return {
    append(name, seq, appendedAtMs, nowMs) {
      const line = lineFor(name, nowMs)
      line.seqs.push(seq)
      line.times.push(appendedAtMs)
      waiting++
    },
    trim(name, perLine) {
      const line = byName.get(name)
      if (!line || lengthOf(line) <= perLine) return []
      const head = line.seqs.length - perLine
      const dropped = line.seqs.slice(line.head, head)
      moveHead(line, head)
      return dropped
    },
    lease({ lines, entries, leaseMs }, nowMs) {
      const held: HeldLine[] = []
      while (held.length < lines) {
        const line = heap.first()
        if (!line || line.readyAtMs > nowMs) break
        line.fence = ++fences
        line.woken = false
        at(line, nowMs + leaseMs)
        const leased: HeldLine['entries'] = []
        const end = Math.min(line.head + entries, line.seqs.length)
        for (let index = line.head; index < end; index++) {
          leased.push({ seq: seqAt(line, index), appendedAtMs: timeAt(line, index) })
        }
        held.push({ name: line.name, fence: line.fence, entries: leased })
      }
      return held
    },
    isHeldBy: ({ line, fence }) => byName.get(line)?.fence === fence,
    isResting(name, nowMs) {
      const line = byName.get(name)
      return line !== undefined && line.fence === 0 && line.readyAtMs > nowMs
    },
    has(name, seq) {
      const line = byName.get(name)
      return line !== undefined && line.seqs[firstAbove(line, seq - 1)] === seq
    },
    among(name, seqs) {
      const line = byName.get(name)
      const left = new Set(seqs)
      const found: number[] = []
      for (let index = line?.head ?? 0; line && index < line.seqs.length && left.size > 0; index++) {
        const seq = seqAt(line, index)
        if (left.delete(seq)) found.push(seq)
      }
      return found
    },
    remove,
    settle({ line: name, fence }, gone, nowMs, holdUntilMs = nowMs) {
      remove(name, gone)
      const line = byName.get(name)
      if (line?.fence !== fence) return
      line.fence = 0
      at(line, line.woken ? nowMs : holdUntilMs)
    },
    wake(name, nowMs) {
      const line = byName.get(name)
      if (!line) return
      line.woken = true
      // A leased queue stays leased until it is settled.
      if (line.fence === 0 && line.readyAtMs > nowMs) at(line, nowMs)
    },
    depth(name) {
      const line = name === undefined ? findOldest() : byName.get(name)
      const oldestAppendedAtMs = line && lengthOf(line) > 0 ? timeAt(line, line.head) : null
      return { waiting: name === undefined ? waiting : line ? lengthOf(line) : 0, oldestAppendedAtMs }
    },
    seqs(name, { afterSeq = 0, limit }) {
      const line = byName.get(name)
      if (!line) return []
      const from = firstAbove(line, afterSeq)
      return line.seqs.slice(from, from + limit)
    },
    clear() {
      for (const line of byName.values()) if (line.index >= 0) heap.remove(line)
      byName.clear()
      waiting = 0
      idle = 0
      oldest = undefined
    },
  }
}

/** The index of the first entry after `seq`. */
function firstAbove(line: Line, seq: number): number {
  let from = line.head
  let to = line.seqs.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (seqAt(line, middle) > seq) to = middle
    else from = middle + 1
  }
  return from
}

function seqAt(line: Line, index: number): number {
  return line.seqs[index] ?? 0
}

function timeAt(line: Line, index: number): number {
  return line.times[index] ?? 0
}
