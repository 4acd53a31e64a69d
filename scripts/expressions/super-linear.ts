/**
 * Finds expressions that take more than linear time for some text (recheck). In: expressions. Out: those, each with the
 * reason.
 */
import { check } from 'recheck'
import type { Expression } from './find-expressions.ts'

/** An expression that takes longer to judge is too hard to read as well. */
const timeoutMs = 60_000

export async function findSuperLinear<E extends Pick<Expression, 'source' | 'flags'>>(
  expressions: readonly E[],
): Promise<{ expression: E; reason: string }[]> {
  const found: { expression: E; reason: string }[] = []
  // One after the other: many at once would run out of time.
  for (const expression of expressions) {
    const verdict = await check(expression.source, expression.flags, { timeout: timeoutMs })
    if (verdict.status === 'safe') continue
    const reason = verdict.status === 'unknown' ? `not judged (${verdict.error.kind})` : verdict.complexity.summary
    found.push({ expression, reason })
  }
  return found
}
