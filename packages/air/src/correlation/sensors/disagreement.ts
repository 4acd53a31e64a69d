/** Whether several sensors disagree. In: their offsets. Out: how unlikely it is that all of them are right. */

/** -2 ln of the ratio of the likelihoods: that all of them are right, to that each may be off as any sensor is. */
export function disagreementOf(offsets: readonly number[], known: number, unknown: number): number {
  // Both sides of a difference are uncertain.
  const knownVariance = 2 * known ** 2
  const unknownVariance = unknown ** 2 + knownVariance
  return (
    squaresOf(offsets) * (1 / knownVariance - 1 / unknownVariance) -
    (offsets.length - 1) * Math.log(unknownVariance / knownVariance)
  )
}

export function meanOf(offsets: readonly number[]): number {
  return offsets.reduce((sum, offset) => sum + offset, 0) / offsets.length
}

export function squaresOf(offsets: readonly number[]): number {
  const mean = meanOf(offsets)
  return offsets.reduce((sum, offset) => sum + (offset - mean) ** 2, 0)
}
