/** Reads and copies single keys, by plain commands: the versions of both Redis may differ. */
import type { RedisLink } from '../link/link.ts'

/** A key, and the part of the data that it is in. */
export interface Place {
  link: Pick<RedisLink, 'connection' | 'prefix'>
  /** Without the prefix. */
  name: string
}

/** Keys, members, fields or entries that one command reads. */
const pageSize = 1_000
/** The bodies of these may be large. */
const pageEntries = 32

/** Runs the command on the key. */
export function send<T>(
  { link: { connection, prefix }, name }: Place,
  command: string,
  ...args: (string | number)[]
): Promise<T> {
  return connection.run((client) => client.sendCommand<T>([command, `${prefix}${name}`, ...args.map(String)]))
}

/** The names of the keys below the prefix, without it, in pages. A name may come twice. */
export async function* scanKeys(connection: RedisLink['connection'], prefix: string): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const [next, keys] = await connection.run((client) =>
      client.sendCommand<[string, string[]]>(['SCAN', cursor, 'MATCH', `${prefix}*`, 'COUNT', String(pageSize)]),
    )
    cursor = next
    yield keys.map((key) => key.slice(prefix.length))
  } while (cursor !== '0')
}

/** @param change Of the value. Default: none. A key that has expired is not copied. */
export async function copyValue(from: Place, to: Place, change = (value: string) => value): Promise<void> {
  const [value, leftMs] = await Promise.all([send<string | null>(from, 'GET'), send<number>(from, 'PTTL')])
  if (value === null || leftMs === 0) return
  await send(to, 'SET', change(value), ...(leftMs > 0 ? ['PX', leftMs] : []))
}

export interface CopyStreamOptions {
  /** Default: ids stay. */
  toId?: (id: string) => string
  /** Called with the fields of each entry before it is written. */
  onEntry?: (fields: string[]) => Promise<void>
}

/** Returns the number of entries. */
export async function copyStream(
  from: Place,
  to: Place,
  { toId = (id) => id, onEntry }: CopyStreamOptions = {},
): Promise<number> {
  let copied = 0
  for (let start = '-'; ; ) {
    const page = await send<[id: string, fields: string[]][]>(from, 'XRANGE', start, '+', 'COUNT', pageEntries)
    await Promise.all(page.map(([, fields]) => onEntry?.(fields)))
    await Promise.all(page.map(([id, fields]) => send(to, 'XADD', toId(id), ...fields)))
    copied += page.length
    if (page.length < pageEntries) return copied
    start = `(${page.at(-1)?.[0]}`
  }
}

/** Calls `work` with each field of a hash, perhaps twice. */
export function eachField(place: Place, work: (field: string, value: string) => Promise<unknown>): Promise<void> {
  return eachPair('HSCAN', place, work)
}

/** Calls `work` with each member of a sorted set, perhaps twice. */
export function eachScore(place: Place, work: (member: string, score: string) => Promise<unknown>): Promise<void> {
  return eachPair('ZSCAN', place, work)
}

async function eachPair(
  command: 'HSCAN' | 'ZSCAN',
  place: Place,
  work: (one: string, other: string) => Promise<unknown>,
): Promise<void> {
  let cursor = '0'
  do {
    const [next, found] = await send<[string, string[]]>(place, command, cursor, 'COUNT', pageSize)
    cursor = next
    const pairs = Array.from({ length: found.length / 2 }, (_, n) => found.slice(2 * n, 2 * n + 2))
    await Promise.all(pairs.map(([one = '', other = '']) => work(one, other)))
  } while (cursor !== '0')
}

/** All fields of a small hash. */
export async function readFields(place: Place): Promise<Record<string, string>> {
  const fields: Record<string, string> = {}
  await eachField(place, async (field, value) => void (fields[field] = value))
  return fields
}

/** A key that stays as it is. */
export async function copyKey(from: Place, to: Place): Promise<void> {
  const type = await send<string>(from, 'TYPE')
  switch (type) {
    // It has expired.
    case 'none':
      return
    case 'string':
      return copyValue(from, to)
    case 'stream':
      return void (await copyStream(from, to))
    case 'hash':
      return eachField(from, (field, value) => send(to, 'HSET', field, value))
    case 'zset':
      return eachScore(from, (member, score) => send(to, 'ZADD', score, member))
    default:
      throw new Error(`The key "${from.link.prefix}${from.name}" has the unknown type "${type}"`)
  }
}
