/**
 * The logs for a command that runs beside the server. It lists and appends entries, and unburies or
 * deletes buried ones. It cannot lease.
 */
import type { Clock } from '../../../ports/clock.ts'
import { checkAppend, type Log } from '../../../ports/storage/log.ts'
import type { SqliteEngine } from '../engine.ts'
import type { LogName } from './entry-seqs.ts'
import { forgetBuried, listBuried, listPages } from './list-pages.ts'

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
    unbury: async (seqs) => (await engine.call('log.unbury', name, seqs, clock.now())).seqs.length,
    forgetBuried: (beforeMs) => forgetBuried(engine, name, beforeMs),
    watch: () => () => {},
  }
}
