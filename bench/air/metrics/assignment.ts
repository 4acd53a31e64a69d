/**
 * The assignment of least total cost: the Hungarian method with potentials, O(n³).
 * In: costs of rows (tracks) by columns (targets), none above `most`. Out: for each row its column; undefined if
 * leaving both alone costs less.
 */
export function assign(costs: readonly (readonly number[])[], most: number): (number | undefined)[] {
  const rows = costs.length
  const columns = costs[0]?.length ?? 0
  // A square matrix: what has no partner costs `most`.
  const size = rows + columns
  const costOf = (row: number, column: number) => Math.min(costs[row]?.[column] ?? most, most)
  const rowPotential = new Float64Array(size + 1)
  const columnPotential = new Float64Array(size + 1)
  const rowOf = new Int32Array(size + 1)
  const previous = new Int32Array(size + 1)
  for (let row = 1; row <= rows; row++) {
    rowOf[0] = row
    let column = 0
    const least = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY)
    const isUsed = new Uint8Array(size + 1)
    do {
      isUsed[column] = 1
      const current = rowOf[column] ?? 0
      let delta = Number.POSITIVE_INFINITY
      let next = 0
      for (let other = 1; other <= size; other++) {
        if (isUsed[other]) continue
        const reduced = costOf(current - 1, other - 1) - (rowPotential[current] ?? 0) - (columnPotential[other] ?? 0)
        if (reduced < (least[other] ?? 0)) {
          least[other] = reduced
          previous[other] = column
        }
        if ((least[other] ?? 0) < delta) {
          delta = least[other] ?? 0
          next = other
        }
      }
      for (let other = 0; other <= size; other++) {
        if (isUsed[other]) {
          const used = rowOf[other] ?? 0
          rowPotential[used] = (rowPotential[used] ?? 0) + delta
          columnPotential[other] = (columnPotential[other] ?? 0) - delta
        } else least[other] = (least[other] ?? 0) - delta
      }
      column = next
    } while (rowOf[column] !== 0)
    while (column !== 0) {
      const before = previous[column] ?? 0
      rowOf[column] = rowOf[before] ?? 0
      column = before
    }
  }
  const assigned: (number | undefined)[] = Array.from({ length: rows })
  for (let column = 1; column <= columns; column++) {
    const row = (rowOf[column] ?? 0) - 1
    if (row >= 0 && costOf(row, column - 1) < most) assigned[row] = column - 1
  }
  return assigned
}
