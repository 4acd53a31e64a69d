/**
 * The devices that wait for a slot.
 * In: devices, with their account and host. Out: the device that is served next: of the account with the fewest slots;
 * within an account its hosts in turn, and within a host the device that has waited longest. Devices whose relays fail
 * come first, because few of them are served at the same time.
 */
import { createFairQueue } from '../../concurrency/fair-queue.ts'

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

export function createWaitingDevices(): WaitingDevices {
  const queue = createFairQueue<string>()
  const parties = new Map<string, Party>()

  function remove(device: string): void {
    const party = parties.get(device)
    if (!party) return
    parties.delete(device)
    queue.remove(toPath(party), device)
  }

  return {
    remove,
    countOf: (accountId) => queue.countOf([accountId]),
    add(device, { accountId, host, isFailing }) {
      const earlier = parties.get(device)
      if (earlier?.accountId === accountId && earlier.host === host && earlier.isFailing === isFailing) return
      remove(device)
      const party = { accountId, host, isFailing }
      parties.set(device, party)
      queue.add(toPath(party), device)
    },
    take({ slotsOf, mayAccount, mayHost }) {
      const device = queue.take({
        may([accountId = '', state, host]) {
          if (host !== undefined) return mayHost(accountId, host)
          return state === undefined || mayAccount(accountId, state === failing)
        },
        rankOf([accountId = '', state, host]) {
          if (state === undefined) return slotsOf(accountId)
          return host === undefined && state !== failing ? 1 : 0
        },
      })
      const party = device !== undefined && parties.get(device)
      if (!party) return undefined
      parties.delete(device)
      return { ...party, device }
    },
  }
}

const failing = 'failing'

/** Accounts take turns, and within each its hosts. */
function toPath({ accountId, host, isFailing }: Party): string[] {
  return [accountId, isFailing ? failing : 'healthy', host]
}
