/**
 * The positions that each device has reported, as far back as the limits allow.
 * In: keys of positions, each with the seq of its report in the log. Out: the seq of the report that had a position first.
 * The newest positions of a device are kept, and the devices that reported last.
 */
export interface SeenPositions {
  /** Undefined for a device that was never seen, or too long ago. */
  findDevice(deviceUrn: string): SeenOfDevice | undefined
  /** Makes room by removing the devices that have not reported for longest. */
  addDevice(deviceUrn: string): SeenOfDevice
}

export interface SeenOfDevice {
  /** The seq of the report that had the position first; undefined when this one is the first. */
  remember(key: number, seq: number): number | undefined
  /** As if the report with this seq had not had the position. */
  forget(key: number, seq: number): void
}

export interface SeenPositionsOptions {
  /** Half as many, at least, are always remembered; fewer where many devices share the limit. Default 10_000. */
  perDevice?: number
  /** Of all devices together; 30 to 55 bytes each. Default 500_000. */
  inAll?: number
}

/** What a device takes besides its positions, in positions. */
const deviceCost = 8

export function createSeenPositions({ perDevice = 10_000, inAll = 500_000 }: SeenPositionsOptions = {}): SeenPositions {
  /** In the order of their latest report. */
  const devices = new Map<string, Generations>()
  let count = 0

  function grow(positions: number): void {
    count += positions
    if (count <= inAll) return
    for (const [urn, { size }] of devices) {
      if (count <= inAll || devices.size === 1) return
      count -= size() + deviceCost
      devices.delete(urn)
    }
  }

  /** Devices that report all the time share the limit; none removes another. */
  const perGeneration = () => Math.max(deviceCost, Math.min(perDevice, inAll / devices.size - deviceCost) / 2)

  return {
    findDevice(deviceUrn) {
      const device = devices.get(deviceUrn)
      if (!device) return undefined
      devices.delete(deviceUrn)
      devices.set(deviceUrn, device)
      return device
    },
    addDevice(deviceUrn) {
      const device = createGenerations(perGeneration, grow)
      devices.set(deviceUrn, device)
      grow(deviceCost)
      return device
    },
  }
}

interface Generations extends SeenOfDevice {
  size(): number
}

/** Two generations: when the younger one is full, the older one goes as a whole. One LRU cache per device would cost more. */
function createGenerations(perGeneration: () => number, onGrowth: (positions: number) => void): Generations {
  let young = new Map<number, number>()
  let old = new Map<number, number>()
  return {
    size: () => young.size + old.size,
    remember(key, seq) {
      const known = young.get(key) ?? old.get(key)
      if (known !== undefined) return known
      if (young.size >= perGeneration()) {
        onGrowth(-old.size)
        old = young
        young = new Map()
      }
      young.set(key, seq)
      onGrowth(1)
      return undefined
    },
    forget(key, seq) {
      for (const generation of [young, old]) {
        if (generation.get(key) === seq && generation.delete(key)) onGrowth(-1)
      }
    },
  }
}
