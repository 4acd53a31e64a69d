/**
 * Counts the data of a deployment, to compare a copy with its original.
 * In: connections to its primaries. Out: how much there is of each kind.
 */
import type { RedisLink } from '../link/link.ts'
import { type Place, scanKeys, send } from './copy-key.ts'

interface Kind {
  /** As people read it. */
  title: string
  keys: RegExp
  /** The command that counts what a key has. Default: keys are counted. */
  size?: 'XLEN' | 'ZCARD' | 'HLEN' | 'LLEN'
}

const kinds: Kind[] = [
  { title: 'reports that wait', keys: /^log:report:queue:/, size: 'XLEN' },
  { title: 'deliveries that wait', keys: /^log:delivery:queue:/, size: 'XLEN' },
  { title: 'queues with entries', keys: /^log:(?:report|delivery):ready$/, size: 'ZCARD' },
  { title: 'buried reports', keys: /^log:report:burials$/, size: 'ZCARD' },
  { title: 'buried deliveries', keys: /^log:delivery:burials$/, size: 'ZCARD' },
  { title: 'recent reports', keys: /^recent:reports:/, size: 'XLEN' },
  { title: 'large bodies', keys: /^(?:log:(?:report|delivery)|recent):body:/ },
  { title: 'metrics of devices', keys: /^recent:tally:/ },
  { title: 'recent deliveries', keys: /^deliveries:values:/, size: 'HLEN' },
  { title: 'their order', keys: /^deliveries:order:/, size: 'LLEN' },
  { title: 'records of accounts, users, clients, sensors and relays', keys: /^directory:[^:]+:record:/ },
  { title: 'their indexes', keys: /^directory:[^:]+:(?:ids$|by:)/, size: 'ZCARD' },
  { title: 'their unique values', keys: /^directory:[^:]+:unique$/, size: 'HLEN' },
  { title: 'sessions, tokens, codes, keys and other records', keys: /^store:(?!air:)/ },
  { title: 'revocations', keys: /^revocations$/, size: 'XLEN' },
  { title: 'revoked subjects', keys: /^revocation:/ },
]

/** Numbers by the title of the kind. */
export type DataCounts = ReadonlyMap<string, number>

/** @param prefix Of every key; in a cluster, a hash tag follows it. */
export async function countData(connections: RedisLink['connection'][], prefix: string): Promise<DataCounts> {
  const counts = new Map(kinds.map(({ title }) => [title, 0]))
  for (const connection of connections) {
    const link = { connection, prefix }
    const seen = new Set<string>()
    for await (const names of scanKeys(connection, prefix)) {
      const fresh = names.filter((name) => !seen.has(name))
      for (const name of fresh) seen.add(name)
      await Promise.all(fresh.map((name) => add(counts, { link, name })))
    }
  }
  return counts
}

async function add(counts: Map<string, number>, place: Place): Promise<void> {
  const name = place.name.replace(/^\{[^}]*\}:/, '')
  const kind = kinds.find(({ keys }) => keys.test(name))
  if (!kind) return
  const size = kind.size === undefined ? 1 : await send<number>(place, kind.size)
  counts.set(kind.title, (counts.get(kind.title) ?? 0) + size)
}
