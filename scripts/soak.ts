/**
 * `pnpm soak`: tests that take too long for the suite. They run built processes; only the races run from the sources.
 * Only the module of the test that was asked for is loaded: some measure the heap of this process, and the modules for
 * browsers take 80 MB of it.
 * In: --races [--rounds N], --kills N [--redis | --cluster], --hostile [--redis] [--seconds N], --positions N,
 * --certificates N,
 * --tabs N, --air-wall MINUTES, --agent [--rounds N] or --agent-offline [--days N]; --seed N repeats the random choices
 * of a run.
 * Out: results on standard output, and exit code 1 for a violation. Ctrl-C ends it.
 */
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    races: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    agent: { type: 'boolean', default: false },
    'agent-offline': { type: 'boolean', default: false },
    days: { type: 'string', default: '7' },
    kills: { type: 'string' },
    hostile: { type: 'boolean', default: false },
    redis: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    positions: { type: 'string' },
    certificates: { type: 'string' },
    tabs: { type: 'string' },
    'air-wall': { type: 'string' },
    seed: { type: 'string' },
  },
})

const passed = await soak()
// Exits explicitly, because a failed run may leave connections open.
process.exit(passed ? 0 : 1)

async function soak(): Promise<boolean> {
  const { races, kills, hostile, positions, certificates, tabs, redis, cluster, agent } = values
  const { 'agent-offline': agentOffline, 'air-wall': airWall } = values
  const withNumber = [kills, positions, certificates, tabs, airWall].filter((one) => one !== undefined)
  const asked = withNumber.length + [races, hostile, agent, agentOffline].filter((one) => one).length
  if (asked !== 1)
    refuse(
      'exactly one of --races, --kills N, --hostile, --positions N, --certificates N, --tabs N, --air-wall MINUTES, --agent and --agent-offline is required',
    )
  const seed = values.seed === undefined ? undefined : whole('seed', values.seed, 2 ** 31)
  if (kills !== undefined) {
    const storage = cluster ? 'cluster' : redis ? 'redis' : 'sqlite'
    return (await import('./soak/kills.ts')).soakKillsAndPrint({ kills: whole('kills', kills, 100_000), storage, seed })
  }
  if (agent) {
    const rounds = whole('rounds', values.rounds ?? '1000', 100_000)
    return (await import('./soak/agent.ts')).soakAgentAndPrint({ kills: rounds, cuts: rounds * 10, seed })
  }
  if (agentOffline) return (await import('./soak/agent-offline.ts')).soakAgentOfflineAndPrint(Number(values.days))
  if (hostile) {
    const seconds = whole('seconds', values.seconds, 3_600)
    return (await import('./soak/hostile.ts')).soakHostileAndPrint({ redis, seconds })
  }
  if (positions !== undefined)
    return (await import('./soak/positions.ts')).soakPositionsAndPrint({
      positions: whole('positions', positions, 1_000_000_000),
    })
  if (certificates !== undefined)
    return (await import('./soak/certificates.ts')).soakCertificates(whole('certificates', certificates, 1_000_000))
  if (tabs !== undefined) return (await import('./soak/tabs.ts')).soakTabsAndPrint(whole('tabs', tabs, 100_000))
  if (airWall !== undefined)
    return (await import('./soak/air-wall.ts')).soakAirWallAndPrint(whole('air-wall', airWall, 1_000))
  return (await import('./soak/races.ts')).soakRaces(whole('rounds', values.rounds ?? '100', 1_000))
}

function whole(option: string, text: string, max: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= max) return number
  return refuse(`--${option} must be a whole number from 1 to ${max}, got "${text}"`)
}

function refuse(message: string): never {
  process.stderr.write(`soak: ${message}\n`)
  process.exit(2)
}
