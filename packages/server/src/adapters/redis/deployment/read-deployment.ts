/**
 * Reads what a deployment of Redis says about itself: `posrep-server redis check`. It changes nothing.
 * In: the addresses of `--redis`. Out: its nodes with their settings, and where the partitions are.
 */
import { findRedisUrls, toNodeUrl, toRedisAddress } from '../../../ports/storage/redis-addresses.ts'
import { serviceTag, usualAnswerMs } from '../link/open-redis.ts'
import type { SlotRange } from '../nodes/cluster-nodes.ts'
import { type Connection, openConnection, type RedisClient } from '../nodes/connection.ts'
import { isClusterNode, toInfo } from '../nodes/info.ts'
import { slotOf, toTags } from '../nodes/slots.ts'

export interface DeploymentFacts {
  isCluster: boolean
  /** In the order of their addresses: of a cluster, all nodes that it names; otherwise those of `--redis`. */
  nodes: NodeFacts[]
  /** Addresses of `--redis` that do not answer, each with the reason. */
  silent: [address: string, reason: string][]
  /** Why the table of slots cannot be read; undefined if it can, and without a cluster. */
  tableRefusal: string | undefined
  /** Slots of a cluster that no node serves. */
  unservedSlots: number
  /** As the server wrote them; undefined before its first start. `partitions` only in a cluster. */
  schema: string | undefined
  partitions: number | undefined
}

export interface NodeFacts {
  address: string
  isPrimary: boolean
  /** The number of slots, and of those the slots of partitions. Of a replica, 0. */
  slots: number
  partitions: number
  /** Replicas that the cluster, or this node itself, says it has. */
  replicas: number
  /** INFO; undefined when the node does not answer. */
  info: Map<string, string> | undefined
  /** Why there is no `info`, or no `config`. */
  failure: string | undefined
  /** CONFIG GET; undefined when it is not allowed. */
  config: Record<string, string> | undefined
  /** The errors of commands that the server needs and that this user may not run. */
  refusals: string[]
  /** CLUSTER INFO, in a cluster. */
  state: string | undefined
}

export interface ReadDeploymentOptions {
  /** The value of `--redis`. */
  url: string
  /** Partitions of a cluster that has no data yet. */
  partitions: number
  /** The prefix of every key. Default "posrep:". */
  prefix?: string
}

const slotCount = 16_384
const silent = { info: () => {}, warn: () => {} }
const settings = [
  'appendonly',
  'appendfsync',
  'min-replicas-to-write',
  'cluster-require-full-coverage',
  'cluster-node-timeout',
]

/** @throws Error when no address answers. */
export async function readDeployment({
  url,
  partitions,
  prefix = 'posrep:',
}: ReadDeploymentOptions): Promise<DeploymentFacts> {
  const urls = findRedisUrls(url) ?? []
  const found = await Promise.all(urls.map(async (one): Promise<[string, NodeFacts]> => [one, await readNode(one)]))
  const reached = found.filter(([, { info }]) => info !== undefined)
  const [entry] = reached
  if (!entry) throw new Error(found[0]?.[1].failure)
  const [entryUrl, { info }] = entry
  const common = {
    isCluster: info !== undefined && isClusterNode(info),
    silent: found.flatMap(([, { address, info, failure = '' }]): [string, string][] =>
      info ? [] : [[address, failure]],
    ),
  }
  if (!common.isCluster) {
    const nodes = reached.map(([, node]) => node)
    const [primary] = reached.filter(([, { isPrimary }]) => isPrimary)
    const schema = primary && (await readValue(primary[0], `${prefix}schema`))
    return { ...common, nodes, tableRefusal: undefined, unservedSlots: 0, schema, partitions: undefined }
  }
  try {
    const ranges = await ask(entryUrl, (client) => client.sendCommand<SlotRange[]>(['CLUSTER', 'SLOTS']))
    return { ...common, ...(await readTable(ranges, entryUrl, { partitions, prefix })), tableRefusal: undefined }
  } catch (error) {
    const tableRefusal = error instanceof Error ? error.message : String(error)
    const nodes = reached.map(([, node]) => node)
    return { ...common, nodes, tableRefusal, unservedSlots: 0, schema: undefined, partitions: undefined }
  }
}

interface Place {
  isPrimary: boolean
  replicas: number
}

async function readTable(
  ranges: SlotRange[],
  entryUrl: string,
  { partitions: expected, prefix }: { partitions: number; prefix: string },
) {
  // A node may not know the name by which it is reached.
  const toUrl = ([host, port]: [host: string | null, port: number]) =>
    toNodeUrl(entryUrl, host || new URL(entryUrl).hostname, port)
  const places = new Map<string, Place>()
  const owners: (string | undefined)[] = Array.from({ length: slotCount })
  for (const [first, last, primary, ...replicas] of ranges) {
    places.set(toUrl(primary), { isPrimary: true, replicas: replicas.length })
    for (const replica of replicas) places.set(toUrl(replica), { isPrimary: false, replicas: 0 })
    for (let slot = first; slot <= last; slot++) owners[slot] = toUrl(primary)
  }
  const owner = owners[slotOf(serviceTag)]
  const read = async (name: string) => owner && (await readValue(owner, `${prefix}{${serviceTag}}:${name}`))
  const [schema, stored] = [await read('schema'), await read('partitions')]
  const tagOwners = toTags(stored === undefined ? expected : Number(stored)).map((tag) => owners[slotOf(tag)])
  const nodes = await Promise.all(
    [...places].map(
      async ([url, place]): Promise<NodeFacts> => ({
        ...(await readNode(url)),
        ...place,
        slots: owners.filter((one) => one === url).length,
        partitions: tagOwners.filter((one) => one === url).length,
      }),
    ),
  )
  return {
    nodes: nodes.sort((a, b) => (a.address < b.address ? -1 : 1)),
    unservedSlots: slotCount - owners.filter((one) => one !== undefined).length,
    schema,
    partitions: stored === undefined ? undefined : Number(stored),
  }
}

async function readNode(url: string): Promise<NodeFacts> {
  const address = toRedisAddress(url)
  const none = { slots: 0, partitions: 0, info: undefined, config: undefined, refusals: [], state: undefined }
  let connection: Connection | undefined
  try {
    connection = await connect(url)
    const { run } = connection
    const info = toInfo(await run((client) => client.info()))
    const isCluster = isClusterNode(info)
    const [config, ...answers] = await Promise.allSettled([
      run((client) => client.configGet(settings)),
      run((client) => client.sendCommand<string>(['TIME'])),
      run((client) => client.sendCommand<string>(['EVAL', 'return 1', '0'])),
      run((client) => client.sendCommand<string>(['WAIT', '0', '1'])),
      ...(isCluster ? [run((client) => client.sendCommand<string>(['CLUSTER', 'INFO']))] : []),
    ])
    const isPrimary = info.get('role') === 'master'
    const state = isCluster ? answers.at(-1) : undefined
    return {
      ...none,
      address,
      isPrimary,
      replicas: Number(info.get('connected_slaves') ?? 0),
      info,
      failure: config.status === 'rejected' ? toText(config.reason) : undefined,
      config: config.status === 'fulfilled' ? config.value : undefined,
      // A replica answers WAIT with an error of its own.
      refusals: answers.flatMap((answer) => (answer.status === 'rejected' ? toRefusals(answer.reason) : [])),
      state: state?.status === 'fulfilled' ? String(state.value) : undefined,
    }
  } catch (error) {
    return { ...none, address, isPrimary: false, replicas: 0, failure: toText(error) }
  } finally {
    await connection?.close()
  }
}

function toRefusals(reason: unknown): string[] {
  const text = toText(reason)
  return /^NOPERM|unknown command/i.test(text) ? [text] : []
}

async function readValue(url: string, key: string): Promise<string | undefined> {
  return (await ask(url, (client) => client.get(key))) ?? undefined
}

async function ask<T>(url: string, command: (client: RedisClient) => Promise<T>): Promise<T> {
  const connection = await connect(url)
  try {
    return await connection.run(command)
  } finally {
    await connection.close()
  }
}

function connect(url: string): Promise<Connection> {
  return openConnection({ urls: () => [url], logger: silent, greet: async () => {}, answerMs: usualAnswerMs.tool })
}

function toText(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}
