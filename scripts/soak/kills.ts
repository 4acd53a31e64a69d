/** `pnpm soak --kills N`: prints the progress on standard error and the result on standard output. */
import { soakKills } from '../../e2e/soak/kills.ts'
import { aSeed } from '../../e2e/soak/random.ts'

export interface KillsRun {
  kills: number
  storage: 'sqlite' | 'redis' | 'cluster'
  seed: number | undefined
}

const deployments = {
  sqlite: 'one process on SQLite',
  redis: 'two processes on one Redis',
  cluster: 'two processes on a Redis Cluster',
}

/** Resolves with true if there was no violation. */
export async function soakKillsAndPrint({ kills, storage, seed = aSeed() }: KillsRun): Promise<boolean> {
  process.stdout.write(`${kills} kills, ${deployments[storage]}, seed ${seed}\n`)
  const result = await soakKills({
    kills,
    seed,
    storage,
    onKill(done, { accepted, delivered, what }) {
      if (done % 10 === 0 || storage === 'cluster')
        process.stderr.write(`${done} kills (${what}), ${accepted} accepted, ${delivered} delivered\n`)
    },
  })
  for (const violation of result.violations) process.stdout.write(`${violation}\n`)
  const { accepted, unanswered, refused, delivered, repeated, secrets, violations } = result
  process.stdout.write(
    `${kills} kills: ${accepted} reports answered 202, ${unanswered} unanswered, ${refused} refused with 503; ` +
      `${delivered} delivered, ${repeated} of them again; ` +
      `${secrets.codes} codes, ${secrets.refreshes} refreshes, ${secrets.pairings} pairings, ${secrets.revocations} revocations; ` +
      `${violations.length} violations\n`,
  )
  return violations.length === 0
}
