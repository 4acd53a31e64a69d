/**
 * Which positions each device has reported, as far back as there is room.
 * In: positions by id and time, each with the place of its report in the log. Out: where one was first seen. The newest of
 * a device are kept, and the devices that reported last.
 */
export interface SeenPositions {
  /** `undefined` for a device of which nothing is known: never seen, or too long ago. */
  findDevice(deviceUrn: string): SeenOfDevice | undefined
  /** Makes room for it, at the cost of the devices that have not reported for longest. */
  addDevice(deviceUrn: string): SeenOfDevice
}

export interface SeenOfDevice {
  /** The place of the report that had it first; `undefined` when that is this one, from now on. */
  remember(id: string, timeMs: number, seq: number): number | undefined
  /** As if the report at this place had not had it. */
  forget(id: string, timeMs: number, seq: number): void
}

export interface SeenPositionsOptions {
  /** Half as many, at least, are always remembered. Default 10_000. */
  perDevice?: number
  /** Of all devices together; about 150 bytes each. Default 250_000. */
  inAll?: number
}

export function createSeenPositions({ perDevice = 10_000, inAll = 250_000 }: SeenPositionsOptions = {}): SeenPositions {
  /** The one that reported last comes last. */
  const devices = new Map<string, Generations>()
  let count = 0

  function makeRoom(): void {
    for (const [urn, { size }] of devices) {
      if (count <= inAll || devices.size === 1) return
      count -= size()
      devices.delete(urn)
    }
  }

  return {
    findDevice(deviceUrn) {
      const device = devices.get(deviceUrn)
      if (!device) return undefined
      devices.delete(deviceUrn)
      devices.set(deviceUrn, device)
      return device
    },
    addDevice(deviceUrn) {
      const device = createGenerations(perDevice / 2, (grown) => {
        count += grown
        if (count > inAll) makeRoom()
      })
      devices.set(deviceUrn, device)
      return device
    },
  }
}

interface Generations extends SeenOfDevice {
  size(): number
}

/** Two generations: when the younger one is full, the older one goes as a whole. */
function createGenerations(perGeneration: number, onGrowth: (positions: number) => void): Generations {
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  return {
    size: () => young.size + old.size,
    remember(id, timeMs, seq) {
      const key = keyOf(id, timeMs)
      const known = young.get(key) ?? old.get(key)
      if (known !== undefined) return known
      if (young.size >= perGeneration) {
        onGrowth(-old.size)
        old = young
        young = new Map()
      }
      young.set(key, seq)
      onGrowth(1)
      return undefined
    },
    forget(id, timeMs, seq) {
      const key = keyOf(id, timeMs)
      for (const generation of [young, old]) {
        if (generation.get(key) !== seq) continue
        generation.delete(key)
        onGrowth(-1)
      }
    },
  }
}

function keyOf(id: string, timeMs: number): string {
  return `${timeMs} ${id}`
}
