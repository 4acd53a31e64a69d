/**
 * `Log` in Redis: a stream per line, leases and fences in sorted sets and hashes beside it.
 * Appends, and settlements, that arrive together share one script. Who appends where nobody watches tells other processes.
 */
import type { Clock } from '../../ports/clock.ts'
import {
  type BuriedEntry,
  checkAppend,
  type Lease,
  type Log,
  type LogEntry,
  type NewEntry,
  type Settlement,
} from '../../ports/log.ts'
import { createWatchers } from '../watchers.ts'
import { createGroup } from './group.ts'
import { createHandedValues } from './handed-values.ts'
import type { RedisLink } from './link.ts'
import {
  appendOnwardScript,
  appendScript,
  depthScript,
  forgetBuriedScript,
  leaseScript,
  listBuriedScript,
  listScript,
  settleScript,
  unburyScript,
  wakeScript,
} from './log-scripts.ts'
import type { RedisNotes } from './notes.ts'
import { toNumbers, toRows, toTexts } from './reply.ts'

export interface RedisLogOptions {
  link: RedisLink
  clock: Clock
  /** `delivery` takes what was accepted already, so also where memory is full. */
  name: 'report' | 'delivery'
  /** From other processes. Default: none; what they append is then found by asking. */
  notes?: RedisNotes
}

interface Append {
  entries: NewEntry[]
  perLine: number
}

type Settle = { lease: Pick<Lease, 'line' | 'fence'>; settlement: Settlement }

const forgetAtOnce = 500

export function createRedisLog({ link, clock, name, notes }: RedisLogOptions): Log {
  const watchers = createWatchers()
  const values = createHandedValues()
  const keys = [`log:${name}:`]
  let watching = 0

  const append = createGroup<Append, number>({
    async run(calls, answerMs) {
      const total = calls.reduce((sum, { entries }) => sum + entries.length, 0)
      const args = calls.flatMap(({ entries, perLine }) => [
        perLine,
        entries.length,
        ...entries.flatMap(({ line, body }) => [line, body]),
      ])
      // Where somebody of this process watches, that one takes it up at once; others find what is left by asking.
      const tell = watching === 0 ? 1 : 0
      const script = name === 'delivery' ? appendOnwardScript : appendScript
      const reply = toNumbers(await link.run(script, keys, [clock.now(), tell, total, ...args], answerMs))
      const [first = 0, ...dropped] = reply
      let seq = first
      for (const { entries } of calls) for (const { body, value } of entries) values.add(seq++, body, value)
      watchers.notify()
      return dropped
    },
    sizeOf: ({ entries }) => entries.reduce((sum, { body }) => sum + body.length, 0),
  })

  const settle = createGroup<Settle, boolean>({
    async run(calls, answerMs) {
      const now = clock.now()
      const args = calls.flatMap(({ lease: { line, fence }, settlement }) => {
        const { accepted, buried = [], holdUntilMs = now } = settlement
        const reasons = buried.flatMap(({ seq, reason }) => [seq, reason])
        return [line, fence, holdUntilMs, accepted.length, ...accepted, buried.length, ...reasons]
      })
      const settled = toNumbers(await link.run(settleScript, keys, [now, ...args], answerMs))
      watchers.notify()
      return settled.map((one) => one === 1)
    },
    sizeOf: ({ settlement: { accepted, buried = [] } }) => 16 * accepted.length + 1_024 * buried.length,
  })

  /** Page by page, since a page is bounded by its bytes, too. */
  async function listPages<E extends LogEntry>(
    limit: number,
    afterSeq: number | undefined,
    readPage: (afterSeq: number | undefined, most: number) => Promise<E[]>,
  ): Promise<E[]> {
    const entries: E[] = []
    while (entries.length < limit) {
      const page = await readPage(entries.at(-1)?.seq ?? afterSeq, limit - entries.length)
      if (page.length === 0) break
      entries.push(...page)
    }
    return entries
  }

  return {
    async append(entries, bound) {
      checkAppend(entries, bound)
      if (entries.length === 0) return { dropped: 0 }
      return { dropped: await append({ entries, perLine: bound?.perLine ?? 0 }) }
    },
    async lease({ lines, entries, leaseMs }) {
      const now = clock.now()
      const leases = toRows(await link.run(leaseScript, keys, [now, now + leaseMs, lines, entries])).map(toLease)
      for (const entry of leases.flatMap((lease) => lease.entries)) {
        const value = values.take(entry.seq, entry.body)
        if (value !== undefined) entry.value = value
      }
      return leases
    },
    settle: (lease, settlement) => settle({ lease, settlement }),
    async wake(line) {
      await link.run(wakeScript, keys, [line])
      watchers.notify()
    },
    async depth(line = '') {
      const [waiting, buried, oldest] = toRows(await link.run(depthScript, keys, [line]))
      return {
        waiting: Number(waiting ?? 0),
        buried: Number(buried ?? 0),
        oldestAppendedAtMs: oldest === undefined || oldest === null ? null : Number(oldest),
      }
    },
    list: (line, { afterSeq, limit }) =>
      listPages(limit, afterSeq, async (after, most) => {
        const from = after === undefined ? '-' : `(${after}-0`
        return toRows(await link.run(listScript, keys, [line, from, most])).map(toEntry)
      }),
    listBuried: ({ line = '', afterSeq, limit }) =>
      listPages(limit, afterSeq, async (after, most) =>
        toRows(await link.run(listBuriedScript, keys, [line, after ?? 0, most])).map(toBuried),
      ),
    async unbury(seqs) {
      const found = Number(await link.run(unburyScript, keys, [clock.now(), ...seqs]))
      watchers.notify()
      return found
    },
    async forgetBuried(beforeMs) {
      for (let forgotten = 0; ; ) {
        const now = Number(await link.run(forgetBuriedScript, keys, [beforeMs, forgetAtOnce]))
        forgotten += now
        if (now < forgetAtOnce) return forgotten
      }
    },
    watch(listener) {
      const stops = [watchers.watch(listener), notes?.listen(`${link.prefix}${keys[0]}notes`, listener)]
      watching++
      return () => {
        watching--
        for (const stop of stops) stop?.()
      }
    },
  }
}

function toLease(row: unknown): Lease {
  const [line, fence, entries] = toRows(row)
  return { line: String(line), fence: Number(fence), entries: toRows(entries).map(toEntry) }
}

/** `[id, ['at', time, 'body', text]]`. */
function toEntry(row: unknown): LogEntry {
  const [id, fields] = toRows(row)
  const [, at, , body = ''] = toTexts(fields)
  return { seq: Number.parseInt(String(id), 10), appendedAtMs: Number(at), body }
}

function toBuried(row: unknown): BuriedEntry {
  const [seq, line = '', at, body = '', reason = '', buriedAt] = toTexts(row)
  return { seq: Number(seq), line, appendedAtMs: Number(at), body, reason, buriedAtMs: Number(buriedAt) }
}
