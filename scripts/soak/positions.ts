/** `pnpm soak --positions N`: prints the server's memory over N positions and checks that it does not grow. */
import { soakPositions } from '../../e2e/soak/positions.ts'
import { growthOf } from '../../e2e/soak/resident-memory.ts'

/** Largest relative growth of memory from the first to the last third, after the warm-up. */
const maxGrowth = 0.2
/** The first tenth of the run, but at least this number of positions, is ignored: caches fill and code is compiled. */
const warmUpPositions = 200_000
const curveLines = 20

export async function soakPositionsAndPrint({ positions }: { positions: number }): Promise<boolean> {
  const warmUp = Math.min(Math.max(positions / 10, warmUpPositions), positions / 4)
  let printed = 0
  const { samples, tookMs, ...result } = await soakPositions({
    positions,
    onSample({ at, bytes }, databaseBytes) {
      if (at < (printed * positions) / curveLines) return
      printed = Math.floor((at * curveLines) / positions) + 1
      process.stdout.write(`${million(at)} positions: ${mebi(bytes)} resident, database ${mebi(databaseBytes)}\n`)
    },
  })
  const { firstBytes, lastBytes, share } = growthOf(samples, warmUp)
  const isFlat = share <= maxGrowth
  for (const violation of result.violations) process.stdout.write(`${violation}\n`)
  process.stdout.write(
    `${million(result.positions)} positions in ${Math.round(tookMs / 1000)} s; median of the first third ${mebi(firstBytes)}, ` +
      `of the last third ${mebi(lastBytes)}: ${(share * 100).toFixed(1)} % ${isFlat ? 'is flat' : `is more than ${maxGrowth * 100} %`}\n`,
  )
  return isFlat && result.violations.length === 0
}

function million(count: number): string {
  return `${(count / 1e6).toFixed(2)} million`
}

function mebi(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
