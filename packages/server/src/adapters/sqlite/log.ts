/** `ReportLog` and `DeliveryLog` in the embedded database. */
import type { Clock } from '../../ports/clock.ts'
import { checkAppend, type Log } from '../../ports/log.ts'
import { createWatchers } from '../watchers.ts'
import type { SqliteEngine } from './engine.ts'
import type { LogName } from './statements/log.ts'

export function createSqliteLog({ engine, clock, name }: { engine: SqliteEngine; clock: Clock; name: LogName }): Log {
  const watchers = createWatchers()

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      const stored = entries.map(({ line, body }) => ({ line, body }))
      const dropped = await engine.call('log.append', name, stored, clock.now(), bound?.perLine)
      watchers.notify()
      return { dropped }
    },
    lease: (options) => engine.call('log.lease', name, options, clock.now()),
    async settle({ line, fence }, settlement) {
      const settled = await engine.call('log.settle', name, { line, fence }, settlement, clock.now())
      if (settled) watchers.notify()
      return settled
    },
    async wake(line) {
      await engine.call('log.wake', name, line)
      watchers.notify()
    },
    depth: (line) => engine.call('log.depth', name, line),
    list: (line, { afterSeq = 0, limit }) => engine.call('log.list', name, line, afterSeq, limit),
    listBuried: ({ line, afterSeq = 0, limit }) => engine.call('log.listBuried', name, line, afterSeq, limit),
    async unbury(seqs) {
      const found = await engine.call('log.unbury', name, seqs, clock.now())
      watchers.notify()
      return found
    },
    forgetBuried: (beforeMs) => engine.call('log.forgetBuried', name, beforeMs),
    watch: watchers.watch,
  }
}
