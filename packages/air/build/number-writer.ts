/** Writes the numbers of the files of land and places, which `src/map/draw/ground/number-reader.ts` reads. */

/** The width of the world in the files. */
export const steps = 2 ** 22

export interface NumberWriter {
  bytes: number[]
  /** LEB128. */
  number(value: number): void
  /** The differences of each point to the one before, zigzag-coded. */
  points(points: readonly (readonly [x: number, y: number])[]): void
}

export function createNumberWriter(): NumberWriter {
  const bytes: number[] = []

  function number(value: number): void {
    let left = value
    while (left >= 128) {
      bytes.push((left % 128) + 128)
      left = Math.floor(left / 128)
    }
    bytes.push(left)
  }

  return {
    bytes,
    number,
    points(points) {
      let [lastX, lastY] = [0, 0]
      for (const [x, y] of points) {
        number(zigzag(x - lastX))
        number(zigzag(y - lastY))
        lastX = x
        lastY = y
      }
    },
  }
}

function zigzag(difference: number): number {
  return difference < 0 ? -2 * difference - 1 : 2 * difference
}
