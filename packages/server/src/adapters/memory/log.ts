/** `Log` in the process's memory: for `--memory` and for tests. Nothing in it outlives the process. */
import type { Clock } from '../../ports/clock.ts'
import { toEntryText } from '../../ports/entry-text.ts'
import { type BuriedEntry, checkAppend, type Log, type LogEntry, type NewEntry } from '../../ports/log.ts'
import { createLines } from '../queues/queues.ts'
import { createWatchers } from '../watchers.ts'

export function createMemoryLog({ clock }: { clock: Clock }): Log {
  const lines = createLines()
  const watchers = createWatchers()
  const waiting = new Map<number, LogEntry>()
  const buried = new Map<number, BuriedEntry>()
  let lastSeq = 0

  function put(line: string, entry: Pick<NewEntry, 'body' | 'value'>): void {
    const nowMs = clock.now()
    const seq = ++lastSeq
    const { body, value } = entry
    waiting.set(seq, { seq, appendedAtMs: nowMs, body: toEntryText(body), ...(value !== undefined && { value }) })
    lines.append(line, seq, nowMs, nowMs)
  }

  /** Buried entries, in order. */
  function buriedOf(line: string | undefined): BuriedEntry[] {
    const all = [...buried.values()].sort((a, b) => a.seq - b.seq)
    return line === undefined ? all : all.filter((entry) => entry.line === line)
  }

  const entriesAt = (seqs: number[]) => seqs.flatMap((seq) => waiting.get(seq) ?? [])

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      for (const { line, ...entry } of entries) put(line, entry)
      let dropped = 0
      for (const line of bound ? new Set(entries.map((entry) => entry.line)) : []) {
        for (const seq of lines.trim(line, bound?.perLine ?? 0)) if (waiting.delete(seq)) dropped++
      }
      watchers.notify()
      return { dropped }
    },
    async lease(options) {
      return lines.lease(options, clock.now()).map(({ name, fence, entries }) => ({
        line: name,
        fence,
        entries: entriesAt(entries.map(({ seq }) => seq)),
      }))
    },
    async settle(lease, { accepted, buried: toBury = [], holdUntilMs }) {
      if (!lines.isHeldBy(lease)) return false
      const nowMs = clock.now()
      const reasons = new Map(toBury.map(({ seq, reason }) => [seq, reason]))
      for (const seq of lines.among(lease.line, [...accepted, ...reasons.keys()])) {
        const entry = waiting.get(seq)
        const reason = reasons.get(seq)
        waiting.delete(seq)
        if (entry && reason !== undefined) buried.set(seq, { ...entry, line: lease.line, reason, buriedAtMs: nowMs })
      }
      lines.settle(lease, [...accepted, ...reasons.keys()], nowMs, holdUntilMs)
      watchers.notify()
      return true
    },
    async wake(line) {
      lines.wake(line, clock.now())
      watchers.notify()
    },
    async depth(line) {
      return { ...lines.depth(line), buried: line === undefined ? buried.size : buriedOf(line).length }
    },
    async list(line, options) {
      return entriesAt(lines.seqs(line, options))
    },
    async listBuried({ line, afterSeq = 0, limit }) {
      return buriedOf(line)
        .filter(({ seq }) => seq > afterSeq)
        .slice(0, limit)
    },
    async unbury(seqs) {
      const found = [...new Set(seqs)].flatMap((seq) => buried.get(seq) ?? []).sort((a, b) => a.seq - b.seq)
      for (const entry of found) {
        buried.delete(entry.seq)
        put(entry.line, entry)
      }
      watchers.notify()
      return found.length
    },
    async forgetBuried(beforeMs) {
      const old = buriedOf(undefined).filter(({ buriedAtMs }) => buriedAtMs < beforeMs)
      for (const { seq } of old) buried.delete(seq)
      return old.length
    },
    watch: watchers.watch,
  }
}
