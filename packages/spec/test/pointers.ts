/**
 * The places that matter among JSON Pointers.
 * In: pointers, some twice, some to what others lie in (a choice complains of itself and of its branches). Out: the deepest.
 */
export function deepest(pointers: string[]): string[] {
  const places = [...new Set(pointers)].sort()
  return places.filter((place) => !places.some((other) => other.startsWith(`${place}/`)))
}
