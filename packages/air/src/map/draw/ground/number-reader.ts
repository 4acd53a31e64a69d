/** Reads the numbers of the files of land and places. In: bytes. Out: one number after the other. */

/** The width of the world in the files. */
const steps = 2 ** 22

export interface NumberReader {
  /** LEB128. */
  number(): number
  /** x, y, x, y … of the projection; in the file, zigzag-coded differences to the point before. */
  points(count: number): Float32Array
  /** Of the next number. */
  at(): number
}

export function createNumberReader(bytes: Uint8Array): NumberReader {
  let at = 0

  function number(): number {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = bytes[at++] ?? 0
      value += (byte & 127) * factor
      if (byte < 128) return value
      factor *= 128
    }
  }

  function difference(): number {
    const coded = number()
    return coded % 2 === 1 ? -(coded + 1) / 2 : coded / 2
  }

  return {
    number,
    points(count) {
      const points = new Float32Array(count * 2)
      let [x, y] = [0, 0]
      for (let index = 0; index < points.length; index += 2) {
        x += difference()
        y += difference()
        points[index] = x / steps
        points[index + 1] = y / steps
      }
      return points
    },
    at: () => at,
  }
}
