/** `Log` in the process's memory: for `--memory` and for tests. Nothing in it outlives the process. */
import type { Clock } from '../../ports/clock.ts'
import type { Log, LogEntry } from '../../ports/log.ts'
import { createWatchers } from '../watchers.ts'

interface Line {
  entries: LogEntry[]
  fence: number
  /** Held by a lease, or resting, until then. */
  readyAtMs: number
  /** Woken while it was held. */
  woken: boolean
}

export function createMemoryLog({ clock }: { clock: Clock }): Log {
  const lines = new Map<string, Line>()
  const watchers = createWatchers()
  let seq = 0
  let buried = 0
  // Fences outlive their lines, so that a late holder of an emptied line stays locked out.
  let fences = 0

  return {
    async append(entries) {
      for (const { line: name, body } of entries) {
        let line = lines.get(name)
        if (!line) lines.set(name, (line = { entries: [], fence: 0, readyAtMs: 0, woken: false }))
        line.entries.push({ seq: ++seq, appendedAtMs: clock.now(), body })
      }
      watchers.notify()
    },
    async lease(options) {
      const now = clock.now()
      const ready = [...lines]
        .filter(([, line]) => line.readyAtMs <= now)
        .sort(([, a], [, b]) => headSeq(a) - headSeq(b))
      return ready.slice(0, options.lines).map(([name, line]) => {
        line.fence = ++fences
        line.readyAtMs = now + options.leaseMs
        line.woken = false
        return { line: name, fence: line.fence, entries: line.entries.slice(0, options.entries) }
      })
    },
    async settle({ line: name, fence }, { accepted, buried: buriedNow = [], holdUntilMs = 0 }) {
      const line = lines.get(name)
      if (!line || line.fence !== fence) return false
      const gone = new Set([...accepted, ...buriedNow.map((entry) => entry.seq)])
      line.entries = line.entries.filter((entry) => !gone.has(entry.seq))
      line.readyAtMs = line.woken ? 0 : holdUntilMs
      line.fence = 0
      buried += buriedNow.length
      if (line.entries.length === 0) lines.delete(name)
      else watchers.notify()
      return true
    },
    async wake(name) {
      const line = lines.get(name)
      if (!line) return
      line.woken = true
      // A held line is its holder's until that settles it.
      if (line.fence !== 0) return
      line.readyAtMs = 0
      watchers.notify()
    },
    async depth() {
      const all = [...lines.values()].flatMap((line) => line.entries)
      return {
        waiting: all.length,
        buried,
        oldestAppendedAtMs: all.reduce<number | null>(
          (oldest, { appendedAtMs }) => Math.min(oldest ?? appendedAtMs, appendedAtMs),
          null,
        ),
      }
    },
    watch: watchers.watch,
  }
}

function headSeq(line: Line): number {
  return line.entries[0]?.seq ?? 0
}
