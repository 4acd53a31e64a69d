/** `pnpm soak --agent-offline`: prints the progress on standard error and the result on standard output. */
import { soakAgentOffline } from '../../e2e/soak/agent/offline.ts'

/** Resolves with true if there was no violation. */
export async function soakAgentOfflineAndPrint(days: number): Promise<boolean> {
  const found: string[] = []
  for (const whenFull of ['oldest', 'thin-per-target'] as const) {
    const result = await soakAgentOffline({
      days,
      whenFull,
      onHour(hour, spooled) {
        if (hour % 6 === 0) process.stderr.write(`${whenFull}: ${hour} hours, ${spooled} positions in the spool\n`)
      },
    })
    const { reported, accepted, dropped, maxDiskBytes, maxHeapBytes, backlogPerSecond, violations } = result
    process.stdout.write(
      `${whenFull}, ${days} days: ${reported} positions reported, ${accepted} delivered, ${dropped} dropped; files at most ` +
        `${toMegabytes(maxDiskBytes)} MB, heap at most ${toMegabytes(maxHeapBytes)} MB; the backlog was sent at ` +
        `${backlogPerSecond.toFixed(0)} positions/s beside the new ones; ${violations.length} violations\n`,
    )
    found.push(...violations.slice(0, 100))
  }
  for (const violation of found.slice(0, 100)) process.stdout.write(`${violation}\n`)
  return found.length === 0
}

function toMegabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1)
}
