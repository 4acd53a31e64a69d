/**
 * Removes redundant JSON Pointers.
 * In: pointers, with duplicates and parents of others (a `oneOf` reports itself and its branches). Out: the deepest
 * ones.
 */
export function deepest(pointers: string[]): string[] {
  const unique = [...new Set(pointers)].sort()
  return unique.filter((pointer) => !unique.some((other) => other.startsWith(`${pointer}/`)))
}
