/**
 * Compares what a deployment says about itself with what the server promises on it.
 * In: the facts, and the settings of the server. Out: what to change, a line each; none when all is well.
 */
import type { RedisDurability } from '../../../ports/storage/redis-durability.ts'
import {
  findEvictionProblem,
  findPartitionsProblem,
  findPersistenceProblem,
  findSchemaProblem,
  findVersionProblem,
  toConfigProblem,
} from '../link/checks.ts'
import type { DeploymentFacts, NodeFacts } from './read-deployment.ts'

export interface Promised {
  durability: RedisDurability
  /** Replicas that confirm each write. */
  replicas: number
  /** Of a cluster. */
  partitions: number
  /** Memory that the data will need, of all primaries together. Default: not compared. */
  expectedBytes?: number | undefined
}

/** A primary that hangs stops its partitions for this time, and the election comes after it. */
const longestNodeTimeoutMs = 5_000

export function findProblems(facts: DeploymentFacts, promised: Promised): string[] {
  const ofDeployment = facts.isCluster ? findClusterProblems(facts, promised) : findSingleProblems(facts)
  const ofNodes = facts.nodes.flatMap((node) =>
    findNodeProblems(node, facts, promised).map((problem) => `node ${node.address}: ${problem}`),
  )
  return [...facts.silent.map(toSilence), ...ofDeployment, ...ofNodes]
}

function toSilence([address, reason]: [string, string]): string {
  return `${address} of --redis does not answer (${reason}); start this node, or name another one`
}

function findSingleProblems({ nodes, schema }: DeploymentFacts): string[] {
  const primaries = nodes.filter(({ isPrimary }) => isPrimary).map(({ address }) => address)
  if (primaries.length === 0) return ['none of the addresses of --redis is a primary; add the address of the primary']
  if (primaries.length > 1) {
    return [`${primaries.join(' and ')} are two primaries; name one, or make the other its replica with REPLICAOF`]
  }
  return toList(findSchemaProblem(schema))
}

function findClusterProblems(facts: DeploymentFacts, { partitions }: Promised): string[] {
  const { tableRefusal, unservedSlots, schema } = facts
  if (tableRefusal !== undefined) {
    return [`its nodes cannot be read (${tableRefusal}); allow CLUSTER SLOTS and CLUSTER INFO to this user`]
  }
  return [
    ...(unservedSlots > 0
      ? [`no node serves ${unservedSlots} of its slots; run redis-cli --cluster fix, or bring their node back`]
      : []),
    ...toList(findSchemaProblem(schema)),
    ...(facts.partitions === undefined ? [] : toList(findPartitionsProblem(facts.partitions, partitions))),
    ...findUnevenness(facts),
  ]
}

function findUnevenness({ nodes }: DeploymentFacts): string[] {
  const primaries = nodes.filter(({ isPrimary }) => isPrimary)
  const counts = primaries.map(({ partitions }) => partitions)
  const all = counts.reduce((sum, count) => sum + count, 0)
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  // `rebalance` leaves differences of 2 % of the slots.
  if (most - least <= Math.max(2, 0.1 * most)) return []
  const address = primaries[0]?.address
  return primaries.length > all
    ? [`it has ${primaries.length} primaries and ${all} partitions; primaries without partitions are of no use`]
    : [
        `its primaries have from ${least} to ${most} of ${all} partitions; ` +
          `run redis-cli --cluster rebalance ${address} --cluster-use-empty-masters`,
      ]
}

function findNodeProblems(node: NodeFacts, facts: DeploymentFacts, promised: Promised): string[] {
  const { info, failure, refusals } = node
  if (!info) return [`it does not answer (${failure}); start it, or let it announce an address that can be reached`]
  return [
    ...toList(findVersionProblem(info)),
    ...toList(findEvictionProblem(info)),
    ...findConfigProblems(node, promised),
    ...refusals.map((refusal) => `a command that the server needs is refused (${refusal}); allow it to this user`),
    ...(facts.isCluster ? findMemberProblems(node) : []),
    ...(node.isPrimary ? [...findReplicaProblems(node, promised), ...findMemoryProblems(node, facts, promised)] : []),
  ]
}

function findConfigProblems({ config, failure }: NodeFacts, { durability }: Promised): string[] {
  if (durability === 'none') return []
  return config ? toList(findPersistenceProblem(config, durability)) : [toConfigProblem(failure)]
}

function findMemberProblems({ state, config }: NodeFacts): string[] {
  const timeoutMs = Number(config?.['cluster-node-timeout'] ?? 0)
  return [
    ...(state?.includes('cluster_state:ok') === false
      ? ['it is cut off from the cluster (cluster_state is not "ok"); look at redis-cli --cluster check']
      : []),
    ...(config?.['cluster-require-full-coverage'] === 'yes'
      ? ['the loss of one primary would stop all partitions; set "cluster-require-full-coverage no"']
      : []),
    ...(timeoutMs > longestNodeTimeoutMs
      ? [
          `a replica takes over after ${timeoutMs / 1_000} s or more; ` +
            `set "cluster-node-timeout ${longestNodeTimeoutMs}" or less`,
        ]
      : []),
  ]
}

function findReplicaProblems({ replicas: found, config }: NodeFacts, { replicas }: Promised): string[] {
  if (found < replicas) {
    return [`it has ${found} replicas, and --redis-replicas ${replicas} needs ${replicas} for each write; add replicas`]
  }
  if (replicas > 0 || found === 0 || config?.['min-replicas-to-write'] !== '0') return []
  return [
    'its failure loses what its replicas have not received; ' +
      'start the servers with --redis-replicas 1, or set "min-replicas-to-write 1"',
  ]
}

function findMemoryProblems(node: NodeFacts, { nodes }: DeploymentFacts, { expectedBytes }: Promised): string[] {
  const { info } = node
  const most = Number(info?.get('maxmemory') ?? 0)
  const machine = Number(info?.get('total_system_memory') ?? 0)
  if (most === 0) return ['its memory has no limit; set "maxmemory" below the memory of its machine']
  if (machine > 0 && most > machine) {
    return [`"maxmemory" (${toSize(most)}) is more than its machine has (${toSize(machine)}); set it below`]
  }
  if (expectedBytes === undefined) return []
  const all = nodes.reduce((sum, { partitions }) => sum + partitions, 0)
  const expected = all === 0 ? expectedBytes : (expectedBytes * node.partitions) / all
  if (expected <= most) return []
  return [
    `its data will need ${toSize(expected)}, and "maxmemory" is ${toSize(most)}; ` +
      'give it more, add primaries, or keep fewer recent reports with --recent-limit or --metric-window',
  ]
}

/** As people read it: "12.3 GB". */
export function toSize(bytes: number): string {
  return bytes < 1e8 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`
}

function toList(problem: string | undefined): string[] {
  return problem === undefined ? [] : [problem]
}
