/**
 * Shares out the attempts in flight between accounts and hosts, because a relay may take 10 s to answer, and one
 * account may have thousands of such relays. See decision 41.
 * In: devices that want to send. Out: a slot, or the time when the device must ask again. A process has 512 slots, and
 * up to 256 of them for one host. An account that is alone may have half of each; the fewer are free, the fewer it may
 * have. While 16 attempts of an account at a host have been in flight for more than 1 s, the account starts no more at
 * that host.
 */
import { freeShareOf } from '../../concurrency/free-share.ts'
import type { Clock } from '../../ports/clock.ts'
import { scaleToHeap } from '../../ports/scale-to-heap.ts'
import { createWaitingDevices, type Party } from './waiting-devices.ts'

export interface AttemptSlots {
  /** Call it before each attempt. A device keeps its slot between attempts, unless others are entitled to it. */
  acquire(wanted: Wanted): Acquired
  /** Call it after each attempt: the time until the next attempt does not count as waiting for the host. */
  pause(device: string): void
  /** Call it after the last attempt. */
  release(device: string): void
}

export interface Wanted extends Party {
  device: string
  /** The length of the messages that the device has leased. */
  size: number
}

export type Acquired = { kind: 'slot' } | { kind: 'full'; retryAtMs: number }

interface Slot extends Wanted {
  /** Infinity between attempts, and while the slot is reserved. */
  startedAtMs: number
}

interface Use {
  slots: number
  /** Slots of devices whose relays fail. */
  failing: number
  size: number
}

export const maxSlots = 512
const maxSlotsOfHost = 256
/** For the messages that devices with a slot have leased. Sending a message takes about three times its size. */
export const maxSize = scaleToHeap(64 * 1024 * 1024)
/** Devices whose relays fail may have this part of their account's slots. */
const failingPart = 1 / 4
const maxStalled = 16
const stalledAfterMs = 1_000
/** Long enough to lease the queue of a device that was woken. */
const reservedMs = 100
/** Devices that are woken after each attempt. More than one, so that a host that recovers soon uses all its slots. */
const wokenAtOnce = 2

/**
 * A waiting device is usually woken before its cooldown ends. If it is not, its queue is leased, which reads messages
 * for nothing while there is no slot. So the cooldown grows with the number of waiting devices of the account: all
 * together, they ask about `waitingPerCooldown` times per `cooldownMs`. A device with long messages waits up to four
 * times as long.
 */
const cooldownMs = 2_000
const longestCooldownMs = 30_000
const waitingPerCooldown = 64
const longSize = 256 * 1024
const longestFactor = 4

export interface AttemptSlotsOptions {
  clock: Clock
  /** Returns a number from 0 to below 1. */
  random(): number
  /** Makes the device's queue available before its cooldown ends. */
  wake(device: string): void
}

export function createAttemptSlots({ clock, random, wake }: AttemptSlotsOptions): AttemptSlots {
  /** Key: device. */
  const slots = new Map<string, Slot>()
  /** Key: a device that was woken. Value: the time until which its slot is reserved. The earliest comes first. */
  const reserved = new Map<string, number>()
  const accounts = new Map<string, Use>()
  /** Key: host. Value: for each account, its slots at this host. */
  const hosts = new Map<string, { slots: number; ofAccount: Map<string, Set<Slot>> }>()
  const waiting = createWaitingDevices()
  let size = 0

  const useOf = (accountId: string): Use => accounts.get(accountId) ?? { slots: 0, failing: 0, size: 0 }

  function take(slot: Slot): void {
    const { accountId, host: name } = slot
    slots.set(slot.device, slot)
    size += slot.size
    const use = useOf(accountId)
    accounts.set(accountId, use)
    use.slots++
    use.size += slot.size
    if (slot.isFailing) use.failing++
    const host = hosts.get(name) ?? { slots: 0, ofAccount: new Map<string, Set<Slot>>() }
    hosts.set(name, host)
    host.slots++
    host.ofAccount.set(accountId, (host.ofAccount.get(accountId) ?? new Set()).add(slot))
  }

  /** Returns the slot that the device had. */
  function giveBack(device: string): Slot | undefined {
    const slot = slots.get(device)
    if (!slot) return undefined
    slots.delete(device)
    reserved.delete(device)
    size -= slot.size
    const use = useOf(slot.accountId)
    use.size -= slot.size
    if (slot.isFailing) use.failing--
    if (--use.slots === 0) accounts.delete(slot.accountId)
    const host = hosts.get(slot.host)
    const ofAccount = host?.ofAccount.get(slot.accountId)
    ofAccount?.delete(slot)
    if (ofAccount?.size === 0) host?.ofAccount.delete(slot.accountId)
    if (host && --host.slots === 0) hosts.delete(slot.host)
    return slot
  }

  function endReservations(): void {
    const nowMs = clock.now()
    for (const [device, untilMs] of reserved) {
      if (untilMs > nowMs) return
      giveBack(device)
    }
  }

  function mayAccount(accountId: string, isFailing: boolean): boolean {
    const use = useOf(accountId)
    const share = freeShareOf(maxSlots, slots.size)
    const hasSlot = use.slots < share && (!isFailing || use.failing < share * failingPart)
    return hasSlot && use.size < freeShareOf(maxSize, size)
  }

  /** Whether the account may have one more slot at the host, if it may have one more at all. */
  function mayHost(accountId: string, name: string): boolean {
    const host = hosts.get(name)
    const ofAccount = host?.ofAccount.get(accountId)
    if (!host || !ofAccount) return (host?.slots ?? 0) < maxSlotsOfHost
    // The account's own share is divided between its hosts in the same way.
    const ofHosts = freeShareOf(freeShareOf(maxSlots, slots.size), useOf(accountId).slots)
    const share = Math.min(freeShareOf(maxSlotsOfHost, host.slots), ofHosts)
    return ofAccount.size < share && !isHanging(ofAccount)
  }

  function isHanging(ofAccount: Set<Slot>): boolean {
    if (ofAccount.size < maxStalled) return false
    const sinceMs = clock.now() - stalledAfterMs
    let stalled = 0
    for (const { startedAtMs } of ofAccount) if (startedAtMs <= sinceMs) stalled++
    return stalled >= maxStalled
  }

  function toRetryAtMs({ accountId, size }: Wanted): number {
    const others = waiting.countOf(accountId) / waitingPerCooldown
    const averageMs = Math.min(longestCooldownMs, cooldownMs * Math.max(1, others))
    return clock.now() + averageMs * Math.min(longestFactor, 1 + size / longSize) * (0.5 + random())
  }

  function wakeNext(): void {
    endReservations()
    for (let woken = 0; woken < wokenAtOnce; woken++) {
      const next = waiting.take({ slotsOf: (accountId) => useOf(accountId).slots, mayAccount, mayHost })
      if (!next) return
      take({ ...next, size: 0, startedAtMs: Number.POSITIVE_INFINITY })
      reserved.set(next.device, clock.now() + reservedMs)
      wake(next.device)
    }
  }

  return {
    acquire(wanted) {
      const { accountId, host, device, isFailing } = wanted
      endReservations()
      // The device may reuse its own slot or reservation. The relay may have moved to another host.
      const earlier = giveBack(device)
      if (mayAccount(accountId, isFailing) && mayHost(accountId, host)) {
        waiting.remove(device)
        take({ ...wanted, startedAtMs: clock.now() })
        if (earlier && earlier.host !== host) wakeNext()
        return { kind: 'slot' }
      }
      waiting.add(device, wanted)
      const retryAtMs = toRetryAtMs(wanted)
      if (earlier) wakeNext()
      return { kind: 'full', retryAtMs }
    },
    pause(device) {
      const slot = slots.get(device)
      if (!slot) return
      slot.startedAtMs = Number.POSITIVE_INFINITY
      wakeNext()
    },
    release(device) {
      if (giveBack(device)) wakeNext()
    },
  }
}
