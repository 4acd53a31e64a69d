/**
 * The logs for a command that runs beside the server. It lists and appends entries, and unburies or
 * deletes buried ones. It cannot lease.
 */
import type { Clock } from '../../../ports/clock.ts'
import { checkAppend, type Log, type LogName } from '../../../ports/storage/log.ts'
import type { SqliteEngine } from '../engine.ts'
import { forgetBuried, listBuried, listPages, unbury } from './list-pages.ts'

export interface ToolLogOptions {
  engine: SqliteEngine
  clock: Clock
  name: LogName
}

export function createToolLog({ engine, clock, name }: ToolLogOptions): Log {
  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      const queues = entries.map(({ queue }) => queue)
      const bodies = entries.map(({ body }) => body)
      if (entries.length > 0) await engine.call('log.append', name, queues, bodies, clock.now())
      // The server applies its bound when it appends the next entry to the queue.
      return { dropped: 0 }
    },
    async lease() {
      throw new Error('A command cannot lease entries beside the server')
    },
    settle: async () => false,
    wake: async () => {},
    depth: (queue) => engine.call('log.depth', name, queue),
    bytesOfClient: (queue) => engine.call('log.bytesOfClient', name, queue),
    list: (queue, options) =>
      listPages(options, (afterSeq, limit, characters) =>
        engine.call('log.list', name, queue, afterSeq, limit, characters),
      ),
    listBuried: (options) => listBuried(engine, name, options),
    oldestBuried: (queue, limit) => engine.call('log.oldestBuried', name, queue, limit),
    unbury: (seqs) => unbury(engine, name, { seqs, nowMs: clock.now() }),
    forgetBuried: (beforeMs) => forgetBuried(engine, name, { beforeMs }),
    forgetBuriedOf: (ofQueue, beforeMs) => forgetBuried(engine, name, { beforeMs, ofQueue }),
    watch: () => () => {},
  }
}
