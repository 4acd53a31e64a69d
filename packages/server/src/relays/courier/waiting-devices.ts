/**
 * The devices that wait for a slot.
 * In: devices, with their account and host. Out: the device that is served next: of the account with the fewest slots; within
 * an account its hosts in turn, and within a host the device that has waited longest. Devices whose relays fail come first,
 * because few of them are served at the same time.
 */
export interface Party {
  accountId: string
  host: string
  /** Whether the last attempt of the device's first message failed. */
  isFailing: boolean
}

export interface WaitingDevices {
  /** A device that waits already keeps its place. */
  add(device: string, party: Party): void
  remove(device: string): void
  countOf(accountId: string): number
  /** Removes and returns the device that is served next, if one may be served. */
  take(limits: Limits): (Party & { device: string }) | undefined
}

export interface Limits {
  slotsOf(accountId: string): number
  mayAccount(accountId: string, isFailing: boolean): boolean
  mayHost(accountId: string, host: string): boolean
}

/** Key: host. Value: devices, in the order in which they asked. The host that is served next comes first. */
type Lines = Map<string, Set<string>>

interface Account {
  count: number
  failing: Lines
  healthy: Lines
}

export function createWaitingDevices(): WaitingDevices {
  /** Key: account. */
  const accounts = new Map<string, Account>()
  const parties = new Map<string, Party>()

  function linesOf({ failing, healthy }: Account, isFailing: boolean): Lines {
    return isFailing ? failing : healthy
  }

  function remove(device: string): void {
    const party = parties.get(device)
    const account = party && accounts.get(party.accountId)
    if (!account) return
    parties.delete(device)
    const lines = linesOf(account, party.isFailing)
    const line = lines.get(party.host)
    line?.delete(device)
    if (line?.size === 0) lines.delete(party.host)
    if (--account.count === 0) accounts.delete(party.accountId)
  }

  function findNext(accountId: string, account: Account, { mayAccount, mayHost }: Limits): Party | undefined {
    for (const isFailing of [true, false]) {
      const lines = linesOf(account, isFailing)
      if (lines.size === 0 || !mayAccount(accountId, isFailing)) continue
      for (const host of lines.keys()) if (mayHost(accountId, host)) return { accountId, host, isFailing }
    }
    return undefined
  }

  function findFewest(limits: Limits): Party | undefined {
    let found: Party | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const [accountId, account] of accounts) {
      const slots = limits.slotsOf(accountId)
      const next = slots < fewest ? findNext(accountId, account, limits) : undefined
      if (!next) continue
      found = next
      fewest = slots
    }
    return found
  }

  return {
    remove,
    countOf: (accountId) => accounts.get(accountId)?.count ?? 0,
    add(device, { accountId, host, isFailing }) {
      const earlier = parties.get(device)
      if (earlier?.accountId === accountId && earlier.host === host && earlier.isFailing === isFailing) return
      remove(device)
      const account = accounts.get(accountId) ?? { count: 0, failing: new Map(), healthy: new Map() }
      accounts.set(accountId, account)
      account.count++
      const lines = linesOf(account, isFailing)
      lines.set(host, (lines.get(host) ?? new Set()).add(device))
      parties.set(device, { accountId, host, isFailing })
    },
    take(limits) {
      const party = findFewest(limits)
      const account = party && accounts.get(party.accountId)
      const lines = account && linesOf(account, party.isFailing)
      const line = lines?.get(party?.host ?? '')
      const [device] = line ?? []
      if (!party || !account || !lines || !line || device === undefined) return undefined
      // The account and the host have had their turn.
      accounts.delete(party.accountId)
      accounts.set(party.accountId, account)
      lines.delete(party.host)
      lines.set(party.host, line)
      remove(device)
      return { ...party, device }
    },
  }
}
