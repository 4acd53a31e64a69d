/**
 * Remembers the positions that each device has reported, within limits.
 * In: keys of positions, each with the seq of its report in the log. Out: the seq of the first report with a position.
 * The newest positions of each device are kept, for the devices that reported most recently.
 */
export interface SeenPositions {
  /** Undefined for a device that is not remembered. */
  findDevice(deviceUrn: string): SeenOfDevice | undefined
  /** Removes the least recently used devices when the limit is exceeded. */
  addDevice(deviceUrn: string): SeenOfDevice
}

export interface SeenOfDevice {
  /** Returns the seq of the first report with the position; undefined when this report is the first. */
  remember(key: string, seq: number): number | undefined
  /** Removes the position if it was remembered with this seq. */
  forget(key: string, seq: number): void
}

export interface SeenPositionsOptions {
  /**
   * Limit per device; at the limit, the older half is discarded. It is lower when many devices share `inAll`. Default
   * 10_000.
   */
  perDevice?: number
  /** Limit of all devices together; a position takes about 100 bytes. Default 500_000. */
  inAll?: number
}

/** Memory that a device takes even without positions: as much as this many positions. */
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

  /** Devices share the limit equally, so that active devices do not remove each other. */
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

/**
 * Has two generations: when the young one is full, the old one is discarded. An LRU cache per device would use more
 * memory.
 */
function createGenerations(perGeneration: () => number, onGrowth: (positions: number) => void): Generations {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
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
      const generation = [young, old].find((keys) => keys.get(key) === seq)
      if (generation?.delete(key)) onGrowth(-1)
    },
  }
}
