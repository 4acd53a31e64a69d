/** A set of whole numbers, kept as ranges: its memory grows with the number of ranges, not of numbers. */

export interface Ranges {
  has(number: number): boolean
  /** Adds the numbers from one to another, both included. */
  add(from: number, through: number): void
}

export function createRanges(): Ranges {
  // In ascending order; between two of them is at least one number that is not in the set.
  const ranges: [from: number, through: number][] = []

  return {
    has(number) {
      let low = 0
      let high = ranges.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if ((ranges[middle]?.[1] ?? number) < number) low = middle + 1
        else high = middle
      }
      return (ranges[low]?.[0] ?? Number.POSITIVE_INFINITY) <= number
    },
    add(from, through) {
      // From the end, because numbers are mostly added in ascending order.
      let end = ranges.length
      while (end > 0 && (ranges[end - 1]?.[0] ?? 0) > through + 1) end -= 1
      let start = end
      while (start > 0 && (ranges[start - 1]?.[1] ?? 0) >= from - 1) start -= 1
      const [lowest = from] = ranges[start] ?? []
      const [, highest = through] = ranges[end - 1] ?? []
      const merged: [number, number] =
        start === end ? [from, through] : [Math.min(from, lowest), Math.max(through, highest)]
      ranges.splice(start, end - start, merged)
    },
  }
}
