/** Round figures for rulers and rings. In: the least size. Out: 1, 2 or 5 times a power of ten. */
export function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
}
