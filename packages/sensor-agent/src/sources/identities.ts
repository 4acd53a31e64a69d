/**
 * Gives positions their ids, and recognises those that a receiver says again: Remote ID messages that it heard several
 * times, SBS lines of a second receiver or after a reconnect.
 * In: the target, the time and the place. Out: an id, or undefined if the last 20,000 positions have the same. No time
 * is later than another, so that one wrong clock does not make all that follows a repetition. Two places at one time
 * are two positions.
 */

export type Identify = (target: string, atMs: number, lat: number, lon: number) => string | undefined

const maxRemembered = 20_000

export function createIdentities(): Identify {
  const known = new Map<string, number>()
  return (target, atMs, lat, lon) => {
    const id = `${target}-${atMs}`
    const place = `${id} ${lat} ${lon}`
    if (remember(place, 1) !== undefined) return undefined
    const before = known.get(id) ?? 0
    remember(id, before + 1)
    return before === 0 ? id : `${id}-${before + 1}`
  }

  function remember(key: string, value: number): number | undefined {
    const before = known.get(key)
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    // Two keys for each position.
    if (oldest !== undefined && known.size > 2 * maxRemembered) known.delete(oldest)
    return before
  }
}
