/** `pnpm soak --kills N`: prints the progress on standard error and the result on standard output. */
import { soakKills } from '../../e2e/soak/kills.ts'
import { aSeed } from '../../e2e/soak/random.ts'

export interface KillsRun {
  kills: number
  redis: boolean
  seed: number | undefined
}

/** Resolves with true if there was no violation. */
export async function soakKillsAndPrint({ kills, redis, seed = aSeed() }: KillsRun): Promise<boolean> {
  const where = redis ? 'two processes on one Redis' : 'one process on SQLite'
  process.stdout.write(`${kills} kills, ${where}, seed ${seed}\n`)
  const result = await soakKills({
    kills,
    seed,
    redis,
    onKill(done, accepted, delivered) {
      if (done % 10 === 0) process.stderr.write(`${done} kills, ${accepted} accepted, ${delivered} delivered\n`)
    },
  })
  for (const violation of result.violations) process.stdout.write(`${violation}\n`)
  const { accepted, unanswered, refused, delivered, repeated, violations } = result
  process.stdout.write(
    `${kills} kills: ${accepted} reports answered 202, ${unanswered} unanswered, ${refused} refused with 503; ` +
      `${delivered} delivered, ${repeated} of them again; ${violations.length} violations\n`,
  )
  return violations.length === 0
}
