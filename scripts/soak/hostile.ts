/** `pnpm soak --hostile`: runs each attack beside a good account, and prints what the good account noticed. */
import { attackNames, type HostileResult, soakHostile } from '../../e2e/soak/hostile/hostile.ts'
import { mostMemoryBytes } from '../../e2e/soak/resident-memory.ts'

const mostP99Ms = 250
const mostLagMs = 2_000
const expected = new Set(['report 202', 'read 200', 'token 200'])
/**
 * Small, but what is stored of the hostile clients must fit: of one three times 128 MiB, of three others what they
 * store at first.
 */
const redisMegabytes = {
  'stored-reports': 768,
  'sign-in': 64,
  'slow-relays': 64,
  'new-targets': 512,
  'unread-answers': 128,
  'costly-calls': 128,
  'slow-writers': 64,
  'stored-forms': 128,
}

/**
 * Resolves with true if the good account's reports and tokens, their times, and the server's memory were within the
 * limits.
 */
export async function soakHostileAndPrint({ redis, seconds }: { redis: boolean; seconds: number }): Promise<boolean> {
  const limits = `p99 ${mostP99Ms} ms, lag ${mostLagMs} ms, memory ${mebi(mostMemoryBytes)}`
  process.stdout.write(
    `${attackNames.length} attacks of ${seconds} s each, on ${redis ? 'Redis' : 'SQLite'}; limits: ${limits}\n`,
  )
  let passed = true
  for (const attack of attackNames) {
    const result = await soakHostile({ attack, seconds, ...(redis && { redisMegabytes: redisMegabytes[attack] }) })
    const { reports, p99Ms, readP99Ms, longestLagMs, undelivered, memoryBytes, attacker } = result
    const violations = violationsOf(result)
    process.stdout.write(
      `${attack}: ${reports} reports of the good account, p99 ${Math.round(p99Ms)} ms, of reads ${Math.round(readP99Ms)} ms, longest lag ${Math.round(longestLagMs)} ms, ` +
        `${undelivered} undelivered, memory ${mebi(memoryBytes)}; the attacker's answers: ${list(attacker)}\n`,
    )
    for (const violation of violations) process.stdout.write(`${attack}: ${violation}\n`)
    if (violations.length > 0) passed = false
  }
  return passed
}

function violationsOf({
  statuses,
  p99Ms,
  readP99Ms,
  longestLagMs,
  undelivered,
  memoryBytes,
  ended,
}: HostileResult): string[] {
  const unexpected = Object.entries(statuses).filter(([kind]) => !expected.has(kind))
  return [
    ...(ended === undefined ? [] : [ended]),
    ...(unexpected.length === 0 ? [] : [`the good account was answered ${list(Object.fromEntries(unexpected))}`]),
    ...(p99Ms > mostP99Ms ? [`p99 is over ${mostP99Ms} ms`] : []),
    ...(readP99Ms > mostP99Ms ? [`p99 of reads is over ${mostP99Ms} ms`] : []),
    ...(undelivered > 0 ? [`${undelivered} deliveries did not arrive`] : []),
    ...(longestLagMs > mostLagMs ? [`a delivery took more than ${mostLagMs} ms`] : []),
    ...(memoryBytes > mostMemoryBytes ? [`memory was over ${mebi(mostMemoryBytes)}`] : []),
  ]
}

function list(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${kind}: ${count}`)
    .join(', ')
}

function mebi(bytes: number): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`
}
