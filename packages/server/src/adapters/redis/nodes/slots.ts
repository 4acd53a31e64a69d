/**
 * Slots of a Redis Cluster and partitions of a deployment.
 * In: names and the number of partitions. Out: the slot of a hash tag, the partition of a name, the tags of all
 * partitions.
 */
const slotCount = 16_384

/** CRC-16/XMODEM, which Redis Cluster uses for its slots. */
const crcTable = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

function toCrc(text: string): number {
  let crc = 0
  for (const byte of Buffer.from(text)) crc = ((crc << 8) ^ (crcTable[(crc >> 8) ^ byte] ?? 0)) & 0xffff
  return crc
}

/** @param tag A hash tag without its braces. */
export function slotOf(tag: string): number {
  return toCrc(tag) % slotCount
}

/** The partition of a queue, a device or a record. It never changes, because data is stored by it. */
export function partitionOf(name: string, count: number): number {
  return count === 1 ? 0 : Math.floor((toCrc(name) * count) / 0x1_0000)
}

/**
 * The hash tags of the partitions. The slots are divided into as many parts, and each partition has a slot of its own
 * part: so each of N primaries with equal shares of the slots gets an equal share of the partitions.
 */
export function toTags(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    for (let n = 0; ; n++) {
      const tag = `p${index}-${n}`
      if (Math.floor((slotOf(tag) * count) / slotCount) === index) return tag
    }
  })
}
