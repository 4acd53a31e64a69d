/**
 * Limits the attempts in flight to one host, because many devices may relay to the same host, and it may hang.
 * In: devices that want to send. Out: a slot, or the time when the device must ask again. A host has 128 slots. While 16 of
 * its attempts have been in flight for more than 1 s, the host hangs: no new attempt to it starts. Waiting devices get slots
 * in the order in which they first asked.
 */
import type { Clock } from '../../ports/clock.ts'

export interface HostSlots {
  /**
   * Call it before each attempt. A device keeps its slot between attempts, unless the host hangs. `accountId` has no effect
   * yet: slots are not shared out between accounts.
   */
  acquire(wanted: { accountId: string; host: string; device: string }): Acquired
  /** Call it after each attempt, so that the pause before the next one does not count as an unanswered attempt. */
  pause(device: string): void
  /** Call it after the last attempt. */
  release(device: string): void
}

export type Acquired = { kind: 'slot' } | { kind: 'full'; retryAtMs: number }

interface Host {
  /** Key: a device that has a slot. Value: the start of its attempt; Infinity between attempts. */
  slots: Map<string, number>
  /** Key: a device that was woken. Value: the time until which a slot is reserved for it. */
  reserved: Map<string, number>
  /** Devices in the order in which they first asked. */
  waiting: Set<string>
}

const maxSlots = 128
const maxStalled = 16
const stalledAfterMs = 1_000
/** Long enough to lease the queue of a device that was woken. */
const reservedMs = 100
/** Devices that are woken after each attempt. More than one, so that a recovered host soon uses all its slots. */
const wokenAtOnce = 2

/**
 * A waiting device is usually woken before its cooldown ends. Otherwise its queue is leased then, and up to 200 messages are
 * read for nothing if the host is still full. So the cooldown grows with the number of waiting devices: all together, they
 * ask about `waitingPerCooldown` times per `cooldownMs`.
 */
const cooldownMs = 2_000
const longestCooldownMs = 30_000
const waitingPerCooldown = 64

export interface HostSlotsOptions {
  clock: Clock
  /** Returns a number from 0 to below 1. */
  random(): number
  /** Makes the device's queue available before its cooldown ends. */
  wake(device: string): void
}

export function createHostSlots({ clock, random, wake }: HostSlotsOptions): HostSlots {
  const hosts = new Map<string, Host>()
  /** Key: a device that has a slot. Value: its host. */
  const held = new Map<string, string>()

  function countFree({ slots, reserved }: Host): number {
    const nowMs = clock.now()
    for (const [device, untilMs] of reserved) if (untilMs <= nowMs) reserved.delete(device)
    let stalled = 0
    for (const startedAtMs of slots.values()) if (nowMs - startedAtMs >= stalledAfterMs) stalled++
    return stalled >= maxStalled ? 0 : maxSlots - slots.size - reserved.size
  }

  function toRetryAtMs({ waiting }: Host): number {
    const averageMs = Math.min(longestCooldownMs, cooldownMs * Math.max(1, waiting.size / waitingPerCooldown))
    return clock.now() + averageMs * (0.5 + random())
  }

  /** Wakes the devices that have waited longest, if there are free slots. */
  function wakeNext(host: Host): void {
    for (let woken = 0; woken < wokenAtOnce; woken++) {
      const [device] = host.waiting
      if (device === undefined || countFree(host) === 0) return
      host.waiting.delete(device)
      host.reserved.set(device, clock.now() + reservedMs)
      wake(device)
    }
  }

  function release(device: string): void {
    const name = held.get(device)
    const host = name === undefined ? undefined : hosts.get(name)
    if (name === undefined || !host) return
    held.delete(device)
    host.slots.delete(device)
    wakeNext(host)
    if (host.slots.size + host.reserved.size + host.waiting.size === 0) hosts.delete(name)
  }

  return {
    release,
    acquire({ host: name, device }) {
      // The relay may have moved to another host since the last attempt.
      if (held.get(device) !== name) release(device)
      const host: Host = hosts.get(name) ?? { slots: new Map(), reserved: new Map(), waiting: new Set() }
      hosts.set(name, host)
      // The device can reuse its own slot or reservation.
      held.delete(device)
      host.slots.delete(device)
      host.reserved.delete(device)
      if (countFree(host) === 0) {
        host.waiting.add(device)
        return { kind: 'full', retryAtMs: toRetryAtMs(host) }
      }
      host.waiting.delete(device)
      host.slots.set(device, clock.now())
      held.set(device, name)
      return { kind: 'slot' }
    },
    pause(device) {
      const host = hosts.get(held.get(device) ?? '')
      if (!host) return
      host.slots.set(device, Number.POSITIVE_INFINITY)
      wakeNext(host)
    },
  }
}
