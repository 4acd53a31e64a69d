/**
 * `pnpm soak`: tests that take too long for the suite. They run built processes; only the races run from the sources.
 * In: --races [--rounds N], --kills N [--redis], --hostile [--redis], --positions N, --certificates N or --tabs N; --seed N repeats the
 * random choices of a run.
 * Out: results on standard output, and exit code 1 for a violation. Ctrl-C ends it.
 */
import { parseArgs } from 'node:util'
import { soakCertificates } from './soak/certificates.ts'
import { soakHostileAndPrint } from './soak/hostile.ts'
import { soakKillsAndPrint } from './soak/kills.ts'
import { soakPositionsAndPrint } from './soak/positions.ts'
import { soakRaces } from './soak/races.ts'
import { soakTabsAndPrint } from './soak/tabs.ts'

const { values } = parseArgs({
  options: {
    races: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '100' },
    kills: { type: 'string' },
    hostile: { type: 'boolean', default: false },
    redis: { type: 'boolean', default: false },
    positions: { type: 'string' },
    certificates: { type: 'string' },
    tabs: { type: 'string' },
    seed: { type: 'string' },
  },
})

const passed = await soak()
// Exits explicitly, because a failed run may leave connections open.
process.exit(passed ? 0 : 1)

function soak(): Promise<boolean> {
  const { races, kills, hostile, positions, certificates, tabs, redis } = values
  const withNumber = [kills, positions, certificates, tabs].filter((one) => one !== undefined)
  const asked = withNumber.length + Number(races) + Number(hostile)
  if (asked !== 1)
    refuse('exactly one of --races, --kills N, --hostile, --positions N, --certificates N and --tabs N is required')
  const seed = values.seed === undefined ? undefined : whole('seed', values.seed, 2 ** 31)
  if (kills !== undefined) return soakKillsAndPrint({ kills: whole('kills', kills, 100_000), redis, seed })
  if (hostile) return soakHostileAndPrint({ redis })
  if (positions !== undefined) return soakPositionsAndPrint({ positions: whole('positions', positions, 1_000_000_000) })
  if (certificates !== undefined) return soakCertificates(whole('certificates', certificates, 1_000_000))
  if (tabs !== undefined) return soakTabsAndPrint(whole('tabs', tabs, 100_000))
  return soakRaces(whole('rounds', values.rounds, 1_000))
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
