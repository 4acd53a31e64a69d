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

/**
 * Two generations: when the younger one is full, the older one goes as a whole.
 * By id: times and places in turn, so that most positions cost no text of their own.
 */
interface Generation {
  byId: Map<string, number[]>
  size: number
}

function createGenerations(perGeneration: number, onGrowth: (positions: number) => void): Generations {
  let young = createGeneration()
  let old = createGeneration()
  return {
    size: () => young.size + old.size,
    remember(id, timeMs, seq) {
      const sightings = young.byId.get(id)
      const known = findSeq(sightings, timeMs) ?? findSeq(old.byId.get(id), timeMs)
      if (known !== undefined) return known
      if (young.size < perGeneration) {
        if (sightings) sightings.push(timeMs, seq)
        else young.byId.set(id, [timeMs, seq])
      } else {
        onGrowth(-old.size)
        old = young
        young = createGeneration()
        young.byId.set(id, [timeMs, seq])
      }
      young.size++
      onGrowth(1)
      return undefined
    },
    forget(id, timeMs, seq) {
      for (const generation of [young, old]) {
        const sightings = generation.byId.get(id) ?? []
        const at = placeOf(sightings, timeMs)
        if (at < 0 || sightings[at + 1] !== seq) continue
        sightings.splice(at, 2)
        generation.size--
        onGrowth(-1)
      }
    },
  }
}

function createGeneration(): Generation {
  return { byId: new Map(), size: 0 }
}

function findSeq(sightings: number[] | undefined, timeMs: number): number | undefined {
  if (!sightings) return undefined
  const at = placeOf(sightings, timeMs)
  return at < 0 ? undefined : sightings[at + 1]
}

/** From the end: a sender that uses an id again does so at a later time, and repeats what it sent last. */
function placeOf(sightings: number[], timeMs: number): number {
  for (let at = sightings.length - 2; at >= 0; at -= 2) if (sightings[at] === timeMs) return at
  return -1
}
