/**
 * `pnpm soak`: what takes longer than a suite may. Built processes, but for the races, which run from the sources.
 * In: --races [--rounds N], --kills N [--redis], --positions N or --certificates N; --seed N repeats a run's choices. Out: figures on
 * standard output, and exit code 1 when a promise was broken. Ctrl-C ends it.
 */
import { parseArgs } from 'node:util'
import { soakCertificates } from './soak/certificates.ts'
import { soakKillsAndTell } from './soak/kills.ts'
import { soakPositionsAndTell } from './soak/positions.ts'
import { soakRaces } from './soak/races.ts'

const { values } = parseArgs({
  options: {
    races: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '100' },
    kills: { type: 'string' },
    redis: { type: 'boolean', default: false },
    positions: { type: 'string' },
    certificates: { type: 'string' },
    seed: { type: 'string' },
  },
})

const isKept = await soak()
// What a broken run leaves open must not keep the process.
process.exit(isKept ? 0 : 1)

function soak(): Promise<boolean> {
  const { races, kills, positions, certificates, redis } = values
  const asked = [races, kills !== undefined, positions !== undefined, certificates !== undefined].filter(Boolean)
  if (asked.length !== 1) refuse('say what to soak: --races, --kills N, --positions N or --certificates N')
  const seed = values.seed === undefined ? undefined : whole('seed', values.seed, 2 ** 31)
  if (kills !== undefined) return soakKillsAndTell({ kills: whole('kills', kills, 100_000), redis, seed })
  if (positions !== undefined) return soakPositionsAndTell({ positions: whole('positions', positions, 1_000_000_000) })
  if (certificates !== undefined) return soakCertificates(whole('certificates', certificates, 1_000_000))
  return soakRaces(whole('rounds', values.rounds, 1_000))
}

function whole(option: string, text: string, most: number): number {
  const number = Number(text)
  if (Number.isInteger(number) && number >= 1 && number <= most) return number
  return refuse(`--${option} must be a whole number from 1 to ${most}, got "${text}"`)
}

function refuse(message: string): never {
  process.stderr.write(`soak: ${message}\n`)
  process.exit(2)
}
