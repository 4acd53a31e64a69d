/**
 * Seqs of a log that has partitions: each partition counts from 1, and a seq names its partition, so that an entry is
 * found by its seq. The seqs that a partition keeps are `local`. A log without partitions has one.
 */
export interface Partition {
  index: number
  count: number
}

export const onlyPartition: Partition = { index: 0, count: 1 }

export function toSeq(local: number, { index, count }: Partition): number {
  return local * count + index
}

export function toLocal(seq: number, { count }: Partition): number {
  return Math.floor(seq / count)
}

/** The local seq that all entries after `seq` are above. */
export function toLocalAfter(seq: number, { index, count }: Partition): number {
  return Math.floor((seq - index) / count)
}

/** The index of the partition that has the entry. */
export function partitionOfSeq(seq: number, count: number): number {
  return seq % count
}
