/** Reproducible random choices: the same seed gives the same choices. */
export interface Random {
  /** A number from 0 to below 1. */
  next(): number
  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number
  /** True with this probability. */
  chance(share: number): boolean
}

/** mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    whole: (least, most) => least + Math.floor(next() * (most - least + 1)),
    chance: (share) => next() < share,
  }
}

export function aSeed(): number {
  return Math.floor(Math.random() * 2 ** 31)
}
