/** `pnpm soak --agent`: prints the progress on standard error and the result on standard output. */
import { soakAgentCuts } from '../../e2e/soak/agent/cuts.ts'
import { soakAgentKills } from '../../e2e/soak/agent/kills.ts'
import { aSeed } from '../../e2e/soak/random.ts'

export interface AgentRun {
  kills: number
  cuts: number
  seed: number | undefined
}

/** Half of the kills for each durability. Resolves with true if there was no violation. */
export async function soakAgentAndPrint({ kills, cuts, seed = aSeed() }: AgentRun): Promise<boolean> {
  process.stdout.write(`${kills} kills of the agent and ${cuts} cuts of its files, seed ${seed}\n`)
  const found: string[] = []
  for (const durability of ['file', 'memory-first'] as const) {
    const result = await soakAgentKills({ kills: Math.ceil(kills / 2), seed, durability, onKill: printProgress })
    const { accepted, received, repeated, dropped, lostWithinBound, lostInStalls, violations } = result
    process.stdout.write(
      `${durability}: ${accepted} positions accepted by report(), ${received} delivered, ${repeated} of them again, ` +
        `${dropped} dropped, ${lostWithinBound} lost as the mode allows (${lostInStalls} of them because the process could not run); ${violations.length} violations\n`,
    )
    found.push(...violations.slice(0, 100))
  }
  const { delivered, violations } = await soakAgentCuts({ cuts, seed })
  process.stdout.write(`${cuts} cuts: ${delivered} positions delivered; ${violations.length} violations\n`)
  found.push(...violations.slice(0, 100))
  for (const violation of found.slice(0, 100)) process.stdout.write(`${violation}\n`)
  return found.length === 0
}

function printProgress(kills: number, accepted: number): void {
  if (kills % 50 === 0) process.stderr.write(`${kills} kills, ${accepted} positions\n`)
}
