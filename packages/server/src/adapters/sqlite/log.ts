/** `ReportLog` and `DeliveryLog` in the embedded database. */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { createWatchers } from '../watchers.ts'
import type { SqliteEngine } from './engine.ts'
import type { LogName } from './statements/log.ts'

export function createSqliteLog({ engine, clock, name }: { engine: SqliteEngine; clock: Clock; name: LogName }): Log {
  const watchers = createWatchers()

  return {
    async append(entries) {
      await engine.call('log.append', name, entries, clock.now())
      watchers.notify()
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
    depth: () => engine.call('log.depth', name),
    watch: watchers.watch,
  }
}
