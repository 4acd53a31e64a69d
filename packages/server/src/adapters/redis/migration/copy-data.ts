/**
 * Copies the data of one Redis to the partitions of a cluster, key by key.
 * In: a link to the Redis, on which nothing works any more, and the empty parts of the cluster. Out: the copies.
 * Entries keep their numbers in each partition; the seqs that others see have the partition in them, so they change
 * wherever they are stored. What cannot be divided, or is worth nothing later, is not copied: see `isLeft`.
 */
import { clientOf, logNames } from '../../../ports/storage/log.ts'
import { fromJson } from '../../from-json.ts'
import type { RedisLink } from '../link/link.ts'
import { logPrefix } from '../link/log-prefix.ts'
import type { RedisParts } from '../link/open-redis.ts'
import { toSeq } from '../log/partition-seqs.ts'
import { partitionOf } from '../nodes/slots.ts'
import { copyBurials } from './copy-burials.ts'
import {
  copyKey,
  copyStream,
  copyValue,
  eachField,
  eachScore,
  type Place,
  readFields,
  scanKeys,
  send,
} from './copy-key.ts'

/** Keys that are copied at once. */
const copiedAtOnce = 32

/**
 * Keys that are not copied: leases, of which there are none; counts of limits, whose names do not tell the partition;
 * the air picture, whose positions are old by now; and what is written with other keys.
 */
function isLeft(name: string): boolean {
  return /^(?:schema|redis|count:.*|store:air:.*|log:air:.*|log:[a-z]+:holders|(?:log:[a-z]+|recent):client-bytes)$/s.test(
    name,
  )
}

/** Written with the entries that they belong to. */
const belonging = /^(?:log:[a-z]+:(?:body:.*|burials-of:.*|buried|buried-at)|recent:body:.*)$/s

/** @param onKeys Called with the number of keys so far. @throws Error for a key that this version does not know. */
export async function copyData(source: RedisLink, target: RedisParts, onKeys: (keys: number) => void): Promise<void> {
  const copy = createCopy(source, target)
  // A scan may return a key twice.
  const seen = new Set<string>()
  for await (const names of scanKeys(source.connection, source.prefix)) {
    const fresh = names.filter((name) => !seen.has(name) && !isLeft(name) && !belonging.test(name))
    for (const name of fresh) seen.add(name)
    for (let first = 0; first < fresh.length; first += copiedAtOnce) {
      await Promise.all(fresh.slice(first, first + copiedAtOnce).map(copy))
    }
    onKeys(seen.size)
  }
}

function createCopy(source: RedisLink, target: RedisParts): (name: string) => Promise<void> {
  const { service, partitions } = target
  const indexOf = (name: string) => partitionOf(name, partitions.length)
  const from = (name: string): Place => ({ link: source, name })
  const to = (owner: string, name: string): Place => ({ link: partitionAt(indexOf(owner)), name })
  /** A seq as others than the log see it. */
  const toOuterSeq = (seq: number, owner: string) => toSeq(seq, { index: indexOf(owner), count: partitions.length })

  function partitionAt(index: number): RedisLink {
    const link = partitions[index]
    if (!link) throw new RangeError(`There is no partition ${index}`)
    return link
  }

  /** The members are queues or devices. */
  async function divideScores(name: string): Promise<void> {
    await eachScore(from(name), (member, score) => send(to(member, name), 'ZADD', score, member))
  }

  async function copyQueue(log: string, queue: string): Promise<void> {
    const place = to(queue, `${log}queue:${queue}`)
    const entries = await copyStream(from(place.name), place, {
      onEntry: (fields) => copyBody(fields, `${log}body:`, queue),
    })
    await send(to(queue, `${log}counts`), 'HINCRBY', 'waiting', entries)
  }

  /** An entry has its body, or the name of it. */
  async function copyBody(fields: string[], prefix: string, owner: string): Promise<void> {
    const [field, text = ''] = fields.slice(-2)
    if (field === 'name') await copyNamed(`${prefix}${text}`, owner)
  }

  async function copyNamed(name: string, owner: string): Promise<void> {
    await copyValue(from(name), to(owner, name))
  }

  async function copyBuried(log: string): Promise<void> {
    await copyBurials({
      source,
      log,
      toPartition: (queue) => to(queue, '').link,
      copyNamed: (name, queue) => copyNamed(`${log}body:${name}`, queue),
    })
  }

  async function copyCounts(name: string): Promise<void> {
    const { seq = '0', fence = '0' } = await readFields(from(name))
    await Promise.all(partitions.map((link) => send({ link, name }, 'HSET', 'seq', seq, 'fence', fence)))
  }

  async function copyBytes(log: string): Promise<void> {
    const seen = new Set<string>()
    await eachField(from(`${log}bytes`), async (queue, bytes) => {
      if (seen.has(queue)) return
      seen.add(queue)
      await send(to(queue, `${log}bytes`), 'HSET', queue, bytes)
      await send(to(queue, `${log}client-bytes`), 'HINCRBY', clientOf(queue), bytes)
    })
  }

  async function copyReports(device: string): Promise<void> {
    const name = `recent:reports:${device}`
    await copyStream(from(name), to(device, name), {
      toId(id) {
        const [time, seq] = id.split('-')
        return `${time}-${toOuterSeq(Number(seq), device)}`
      },
      onEntry: (fields) => copyBody(fields, 'recent:body:', device),
    })
  }

  async function copyTally(device: string): Promise<void> {
    const name = `recent:tally:${device}`
    const { seq = '0', ...fields } = await readFields(from(name))
    const renumbered = ['seq', toOuterSeq(Number(seq), device), ...Object.entries(fields).flat()]
    await send(to(device, name), 'HSET', ...renumbered)
    await send(to(device, 'recent:client-bytes'), 'HINCRBY', clientOf(device), fields.bytes ?? '0')
  }

  /** The id of a delivery has its seq; that of a test message has none. */
  function toDelivery(id: string, device: string): string {
    const [, seq] = /^dl_(\d+)$/.exec(id) ?? []
    return seq === undefined ? id : `dl_${toOuterSeq(Number(seq), device)}`
  }

  async function copyDeliveries(device: string): Promise<void> {
    const name = `deliveries:values:${device}`
    await eachField(from(name), async (id, text) => {
      const renamed = toDelivery(id, device)
      await send(to(device, name), 'HSET', renamed, JSON.stringify({ ...fromJson<object>(text), id: renamed }))
    })
  }

  async function copyOrder(device: string): Promise<void> {
    const name = `deliveries:order:${device}`
    const ids = await send<string[]>(from(name), 'LRANGE', 0, -1)
    if (ids.length > 0) await send(to(device, name), 'RPUSH', ...ids.map((id) => toDelivery(id, device)))
  }

  /** The failures of a queue have the seqs of its first messages. */
  async function copyFailures(name: string, queue: string): Promise<void> {
    const renumber = <M extends { seq: number }>(message: M) => ({ ...message, seq: toOuterSeq(message.seq, queue) })
    await copyValue(from(name), to(`relay-failures:${queue}`, name), (stored) => {
      const bar = stored.indexOf('|')
      const { head, next, ...rest } = fromJson<{ head: { seq: number }; next: { seq: number } | null }>(
        stored.slice(bar + 1),
      )
      const renumbered = { ...rest, head: renumber(head), next: next && renumber(next) }
      return `${stored.slice(0, bar)}|${JSON.stringify(renumbered)}`
    })
  }

  const inLog = (pattern: string) => new RegExp(`^(${logNames.map(logPrefix).join('|')})${pattern}$`, 's')
  const rules: [RegExp, (name: string, one: string, other: string) => Promise<unknown>][] = [
    [/^(?:directory:|revocation)/, (name) => copyKey(from(name), { link: service, name })],
    [/^store:relay-failures:(.*)$/s, copyFailures],
    [/^store:(.*)$/s, (name, key) => copyValue(from(name), to(key, name))],
    [inLog('queue:(.*)'), (_, log, queue) => copyQueue(log, queue)],
    [inLog('(?:ready|heads)'), divideScores],
    [inLog('counts'), copyCounts],
    [inLog('bytes'), (_, log) => copyBytes(log)],
    [inLog('burials'), (_, log) => copyBuried(log)],
    [/^recent:reports:(.*)$/s, (_, device) => copyReports(device)],
    [/^recent:tally:(.*)$/s, (_, device) => copyTally(device)],
    [/^(?:recent|deliveries):devices$/, divideScores],
    [/^deliveries:values:(.*)$/s, (_, device) => copyDeliveries(device)],
    [/^deliveries:order:(.*)$/s, (_, device) => copyOrder(device)],
  ]

  return async (name) => {
    for (const [pattern, rule] of rules) {
      const [found, one = '', other = ''] = pattern.exec(name) ?? []
      if (found !== undefined) return void (await rule(name, one, other))
    }
    throw new Error(`The key "${source.prefix}${name}" is unknown to this version, so it was not copied`)
  }
}
