/**
 * A queue in which parties take turns, so that one with much waiting delays the others by one turn only.
 * In: items, each with its path: the party, parties within it, and so on. Out: the item that is next: at each level the
 * party of the lowest rank that may have a turn, of equal ones the one whose last turn is longest ago; within the last
 * party the oldest item.
 */
export interface FairQueue<T> {
  /** At the end of its party's items. */
  add(path: readonly string[], item: T): void
  remove(path: readonly string[], item: T): void
  /** Items of the party and of those within it; of all parties for the empty path. */
  countOf(path: readonly string[]): number
  /** Removes and returns the item that is next. */
  take(turns: Turns): T | undefined
  items(): T[]
}

export interface Turns {
  /** Whether the party may have a turn. */
  may(path: readonly string[]): boolean
  /** At least 0. Default: 0. */
  rankOf?(path: readonly string[]): number
}

interface Party<T> {
  count: number
  /** The one that is next first. */
  parties: Map<string, Party<T>>
  items: Set<T>
}

export function createFairQueue<T>(): FairQueue<T> {
  const all: Party<T> = aParty()

  function find(path: readonly string[]): Party<T> | undefined {
    return path.reduce<Party<T> | undefined>((party, name) => party?.parties.get(name), all)
  }

  /** Returns the path of the party that is next. */
  function findNext(party: Party<T>, path: readonly string[], turns: Turns): readonly string[] | undefined {
    if (party.items.size > 0) return path
    let found: readonly string[] | undefined
    let lowest = Number.POSITIVE_INFINITY
    for (const [name, within] of party.parties) {
      const pathOf = [...path, name]
      const rank = turns.rankOf?.(pathOf) ?? 0
      if (rank >= lowest || !turns.may(pathOf)) continue
      const next = findNext(within, pathOf, turns)
      if (!next) continue
      found = next
      lowest = rank
      if (rank === 0) break
    }
    return found
  }

  function remove(path: readonly string[], item: T): void {
    if (!find(path)?.items.delete(item)) return
    let party = all
    party.count--
    for (const name of path) {
      const within = party.parties.get(name)
      if (!within) return
      if (--within.count === 0) party.parties.delete(name)
      party = within
    }
  }

  return {
    remove,
    countOf: (path) => find(path)?.count ?? 0,
    items: () => itemsOf(all),
    add(path, item) {
      let party = all
      party.count++
      for (const name of path) {
        const within = party.parties.get(name) ?? aParty<T>()
        party.parties.set(name, within)
        within.count++
        party = within
      }
      party.items.add(item)
    },
    take(turns) {
      const path = findNext(all, [], turns)
      const [item] = (path && find(path)?.items) ?? []
      if (!path || item === undefined) return undefined
      let party = all
      for (const name of path) {
        const within = party.parties.get(name)
        if (!within) break
        // It has had its turn.
        party.parties.delete(name)
        party.parties.set(name, within)
        party = within
      }
      remove(path, item)
      return item
    },
  }
}

function aParty<T>(): Party<T> {
  return { count: 0, parties: new Map(), items: new Set() }
}

function itemsOf<T>({ items, parties }: Party<T>): T[] {
  return [...items, ...[...parties.values()].flatMap(itemsOf)]
}
