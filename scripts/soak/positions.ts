/** `pnpm soak --positions N`: the server's memory over so many positions, as a curve; it must be flat. */
import { soakPositions } from '../../e2e/soak/positions.ts'
import { growthOf } from '../../e2e/soak/resident-memory.ts'

/** The last third may hold so much more than the first one, after the warm-up. */
const mostGrowth = 0.2
/** Caches fill and the compiler settles in the first tenth, at least in so many positions. */
const warmUpPositions = 200_000
const curveLines = 20

export async function soakPositionsAndTell({ positions }: { positions: number }): Promise<boolean> {
  const warmUp = Math.min(Math.max(positions / 10, warmUpPositions), positions / 4)
  let told = 0
  const { samples, tookMs, ...result } = await soakPositions({
    positions,
    onSample({ at, bytes }, databaseBytes) {
      if (at < (told * positions) / curveLines) return
      told = Math.floor((at * curveLines) / positions) + 1
      process.stdout.write(`${million(at)} positions: ${mebi(bytes)} resident, database ${mebi(databaseBytes)}\n`)
    },
  })
  const { firstBytes, lastBytes, share } = growthOf(samples, warmUp)
  const isFlat = share <= mostGrowth
  for (const violation of result.violations) process.stdout.write(`${violation}\n`)
  process.stdout.write(
    `${million(result.positions)} positions in ${Math.round(tookMs / 1000)} s; median of the first third ${mebi(firstBytes)}, ` +
      `of the last third ${mebi(lastBytes)}: ${(share * 100).toFixed(1)} % ${isFlat ? 'is flat' : `is more than ${mostGrowth * 100} %`}\n`,
  )
  return isFlat && result.violations.length === 0
}

function million(count: number): string {
  return `${(count / 1e6).toFixed(2)} million`
}

function mebi(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
