/** `posrep-server redis check`: prints what a deployment of Redis is, and what to change about it. */
import { toVisible, toVisibleJson } from '@posrep/kernel/visible'
import { toExpectedMemory } from '../../adapters/redis/deployment/expected-memory.ts'
import { findProblems, toSize } from '../../adapters/redis/deployment/find-problems.ts'
import {
  type DeploymentFacts,
  type NodeFacts,
  readDeployment,
} from '../../adapters/redis/deployment/read-deployment.ts'
import { type Row, toTable } from '../../admin/table.ts'
import { unusable } from '../../composition/storage/storage.ts'
import type { Settings } from '../../settings/setting-table.ts'

export interface CheckOptions {
  settings: Settings
  /** The value of `--redis`. */
  url: string
  /** Whose memory is expected. Default: not said. */
  sensors?: number
  json?: boolean
}

/** Sets exit code 1 if there is something to change. */
export async function checkRedisDeployment({ settings, url, sensors, json = false }: CheckOptions): Promise<void> {
  const { redisDurability: durability, redisPartitions: partitions, redisReplicas: replicas } = settings
  const facts = await readDeployment({ url, partitions }).catch((cause) => {
    throw unusable(settings, cause)
  })
  const expectedBytes =
    sensors === undefined
      ? undefined
      : toExpectedMemory({
          sensors,
          windowMs: settings.metricWindow,
          maxReports: settings.recentLimit,
          maxBytes: settings.recentMib * 2 ** 20,
        })
  const problems = findProblems(facts, { durability, replicas, partitions, expectedBytes })
  const shown = json ? toVisibleJson(toJson(facts, expectedBytes, problems)) : toText(facts, sensors, expectedBytes)
  process.stdout.write(`${shown}\n`)
  for (const problem of problems) process.stderr.write(`posrep-server: ${toVisible(problem)}\n`)
  if (problems.length > 0) process.exitCode = 1
}

function toText(facts: DeploymentFacts, sensors: number | undefined, expectedBytes: number | undefined): string {
  const { nodes, isCluster, schema, partitions } = facts
  const engines = [...new Set(nodes.flatMap(({ info }) => (info ? [toEngine(info)] : [])))].join(', ')
  const primaries = nodes.filter(({ isPrimary }) => isPrimary).length
  const found = `${isCluster ? 'a cluster of ' : ''}${count(primaries, 'primary', 'primaries')}, ${count(nodes.length - primaries, 'replica', 'replicas')}`
  const data =
    schema === undefined
      ? 'No server has used it yet'
      : `Data of schema ${schema}${partitions === undefined ? '' : ` in ${partitions} partitions`}`
  const expected =
    expectedBytes === undefined
      ? []
      : [
          `${sensors} sensors that report one position a second need ${toSize(expectedBytes)} in all primaries together, and as much in each set of replicas`,
        ]
  return [
    `${engines}: ${found}`,
    data,
    ...expected,
    '',
    toTable(
      nodes.map((node) => toRow(node, isCluster)),
      process.stdout.columns || undefined,
    ),
  ].join('\n')
}

function toRow({ address, isPrimary, partitions, slots, replicas, info, config }: NodeFacts, isCluster: boolean): Row {
  const most = Number(info?.get('maxmemory') ?? 0)
  return {
    NODE: address,
    ROLE: isPrimary ? 'primary' : 'replica',
    ...(isCluster && { SLOTS: String(slots), PARTITIONS: String(partitions) }),
    REPLICAS: String(replicas),
    MEMORY: info ? toSize(Number(info.get('used_memory'))) : 'away',
    'AT MOST': most === 0 ? 'no limit' : toSize(most),
    APPENDFSYNC: config ? (config.appendonly === 'yes' ? (config.appendfsync ?? '') : 'off') : 'unknown',
  }
}

function toJson(facts: DeploymentFacts, expectedBytes: number | undefined, problems: string[]): string {
  const { isCluster, schema, partitions, nodes } = facts
  const shown = nodes.map(({ address, isPrimary, slots, partitions, replicas, info, config }) => ({
    address,
    role: isPrimary ? 'primary' : 'replica',
    ...(isCluster && { slots, partitions }),
    replicas,
    engine: info ? toEngine(info) : null,
    usedBytes: info ? Number(info.get('used_memory')) : null,
    maxBytes: Number(info?.get('maxmemory') ?? 0) || null,
    settings: config ?? null,
  }))
  const document = {
    cluster: isCluster,
    schema: schema ?? null,
    ...(isCluster && { partitions: partitions ?? null }),
    ...(expectedBytes !== undefined && { expectedBytes }),
    nodes: shown,
    problems,
  }
  return JSON.stringify(document, undefined, 2)
}

/** Valkey also names a version of Redis, with which it is compatible. */
function toEngine(info: Map<string, string>): string {
  const valkey = info.get('valkey_version')
  return valkey === undefined ? `Redis ${info.get('redis_version')}` : `Valkey ${valkey}`
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}
