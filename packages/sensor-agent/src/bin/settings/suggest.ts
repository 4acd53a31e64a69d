/**
 * Names what was probably meant. In: a wrong word and the right ones. Out: ` (did you mean "…"?)`, or nothing when none
 * is near.
 */

export function suggest(word: string, candidates: readonly string[]): string {
  const [nearest] = candidates
    .map((candidate) => ({ candidate, edits: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  return nearest && nearest.edits <= Math.max(1, Math.floor(word.length / 3))
    ? ` (did you mean "${nearest.candidate}"?)`
    : ''
}

/** Levenshtein distance: the number of letters to insert, remove or replace. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1]
    for (const [j, other] of [...b].entries()) {
      const [left = 0, up = 0, corner = 0] = [next[j], row[j + 1], row[j]]
      next.push(Math.min(left + 1, up + 1, corner + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
