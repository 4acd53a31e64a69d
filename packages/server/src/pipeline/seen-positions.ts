/**
 * Which positions each device has reported, as far back as there is room.
 * In: keys of positions, each with the place of its report in the log. Out: where one was first seen. The newest of a
 * device are kept, and the devices that reported last.
 */
import { createSeenKeys, type SeenKeys } from './seen-keys.ts'

export interface SeenPositions {
  /** `undefined` for a device of which nothing is known: never seen, or too long ago. */
  findDevice(deviceUrn: string): SeenOfDevice | undefined
  /** Makes room for it, at the cost of the devices that have not reported for longest. */
  addDevice(deviceUrn: string): SeenOfDevice
}

export interface SeenOfDevice {
  /** Of keys that are asked for next, as `SeenKeys` has it. */
  fetch(keys: readonly number[]): void
  /** The place of the report that had it first; `undefined` when that is this one, from now on. */
  remember(key: number, seq: number): number | undefined
  /** As if the report at this place had not had it. */
  forget(key: number, seq: number): void
}

export interface SeenPositionsOptions {
  /** Half as many, at least, are always remembered; of each, fewer, where many devices share the room. Default 10_000. */
  perDevice?: number
  /** Of all devices together; 20 to 45 bytes each. Default 500_000. */
  inAll?: number
}

/** What a device takes besides its positions, in positions. */
const deviceCost = 8

export function createSeenPositions({ perDevice = 10_000, inAll = 500_000 }: SeenPositionsOptions = {}): SeenPositions {
  /** The one that reported last comes last. */
  const devices = new Map<string, Generations>()
  let count = 0

  function makeRoom(): void {
    for (const [urn, { size }] of devices) {
      if (count <= inAll || devices.size === 1) return
      count -= size() + deviceCost
      devices.delete(urn)
    }
  }

  function grow(positions: number): void {
    count += positions
    if (count > inAll) makeRoom()
  }

  /** Devices that report all the time share the room, rather than push each other out of it. */
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

/** Two generations: when the younger one is full, the older one goes as a whole. */
function createGenerations(perGeneration: () => number, onGrowth: (positions: number) => void): Generations {
  let young = createSeenKeys()
  let old: SeenKeys | undefined
  return {
    size: () => young.size() + (old?.size() ?? 0),
    fetch(keys) {
      young.fetch(keys)
      old?.fetch(keys)
    },
    remember(key, seq) {
      const known = young.find(key) ?? old?.find(key)
      if (known !== undefined) return known
      if (young.size() >= perGeneration()) {
        onGrowth(-(old?.size() ?? 0))
        old = young
        young = createSeenKeys(old.size())
      }
      young.add(key, seq)
      onGrowth(1)
      return undefined
    },
    forget(key, seq) {
      young.forget(key, seq)
      old?.forget(key, seq)
    },
  }
}
