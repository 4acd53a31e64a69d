/**
 * Copies the buried entries of a log, each to the partition of its queue. Only Lua reads their format; see
 * `log/lua-fragments.ts`.
 */

import type { Place } from './copy-key.ts'
import { send } from './copy-key.ts'

const readScript = `return cmsgpack.unpack(redis.call('HGET', KEYS[1], ARGV[1]))`
const writeScript = `
local seq, queue, buriedAt = ARGV[1], ARGV[2], ARGV[6]
redis.call('HSET', KEYS[1] .. 'buried', seq, cmsgpack.pack(ARGV))
redis.call('ZADD', KEYS[1] .. 'burials', seq, seq)
redis.call('ZADD', KEYS[1] .. 'burials-of:' .. queue, seq, seq)
redis.call('ZADD', KEYS[1] .. 'buried-at', buriedAt, seq)`

export interface CopyBurialsOptions {
  source: Place['link']
  /** The prefix of the log. */
  log: string
  toPartition(queue: string): Place['link']
  /** Copies the body that has its own key. */
  copyNamed(name: string, queue: string): Promise<void>
}

const pageSize = 32

export async function copyBurials({ source, log, toPartition, copyNamed }: CopyBurialsOptions): Promise<void> {
  for (let first = 0; ; first += pageSize) {
    const seqs = await send<string[]>({ link: source, name: `${log}burials` }, 'ZRANGE', first, first + pageSize - 1)
    await Promise.all(seqs.map(copy))
    if (seqs.length < pageSize) return
  }

  async function copy(seq: string): Promise<void> {
    const entry = await evaluate<string[]>(source, readScript, `${log}buried`, [seq])
    const [, queue = '', , , , , name = ''] = entry
    if (name !== '') await copyNamed(name, queue)
    await evaluate(toPartition(queue), writeScript, log, entry)
  }
}

function evaluate<T>({ connection, prefix }: Place['link'], script: string, key: string, args: string[]): Promise<T> {
  return connection.run((client) => client.sendCommand<T>(['EVAL', script, '1', `${prefix}${key}`, ...args]))
}
