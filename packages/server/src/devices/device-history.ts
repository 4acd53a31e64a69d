/**
 * Remembers when a device was paired, got tokens and had a report refused, so that its user can find out why it is
 * silent.
 * In: events. Out: the history of a device. Nothing depends on it: events are written after the answer, an event that
 * cannot be written is lost, and frequent ones are recorded at intervals.
 */
import type { DeviceHistory, IssuedToken, PairingConsumer, RefusedReport } from '@posrep/spec'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import { changeStored, type Store } from '../ports/storage/store.ts'

export interface DeviceHistories {
  recordPairing(urn: string, pairing: Omit<PairingConsumer, 'at'>): void
  /** At most one a minute is recorded. */
  recordToken(urn: string, grant: IssuedToken['grant']): void
  /** At most one in 10 s is recorded. */
  recordRefusal(urn: string, refused: Omit<RefusedReport, 'at'>): void
  /** Without what happened before the device was created: its URN may have been that of a device that was removed. */
  read(device: Pick<DeviceRecord, 'id' | 'createdAtMs'>): Promise<DeviceHistory>
  /** Resolves when the recorded events are written. */
  idle(): Promise<void>
}

export interface DeviceHistoriesOptions {
  store: Store
  clock: Clock
  /** Called when an event could not be written. */
  onError(error: unknown): void
}

const keptMs = 90 * 24 * 60 * 60_000
const keptPairings = 10
const intervalsMs = { token: 60_000, refusal: 10_000 }
/** Devices whose last events this process knows; an older one may be recorded once more. */
const maxKnown = 10_000
const maxDetailLength = 500

const empty: DeviceHistory = { pairings: [], lastToken: null, lastRefusedReport: null }

export function createDeviceHistories({ store, clock, onError }: DeviceHistoriesOptions): DeviceHistories {
  const recordedAtMs = new LRUCache<string, number>({ max: maxKnown })
  const writing = new Set<Promise<unknown>>()

  function record(urn: string, toNext: (current: DeviceHistory, at: string) => DeviceHistory): void {
    const at = new Date(clock.now()).toISOString()
    const ofCurrent = (current = empty) => toNext(current, at)
    const written: Promise<unknown> = changeStored(store, toKey(urn), ofCurrent, keptMs)
      .catch(onError)
      .finally(() => writing.delete(written))
    writing.add(written)
  }

  /** Whether an event of this kind was recorded within its interval; if not, this one counts as recorded. */
  function isTooSoon(kind: keyof typeof intervalsMs, urn: string): boolean {
    const key = `${kind} ${urn}`
    if (clock.now() - (recordedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < intervalsMs[kind]) return true
    recordedAtMs.set(key, clock.now())
    return false
  }

  return {
    recordPairing(urn, pairing) {
      record(urn, (current, at) => ({
        ...current,
        pairings: [{ ...pairing, at }, ...current.pairings].slice(0, keptPairings),
      }))
    },
    recordToken(urn, grant) {
      if (!isTooSoon('token', urn)) record(urn, (current, at) => ({ ...current, lastToken: { at, grant } }))
    },
    recordRefusal(urn, { status, detail }) {
      if (isTooSoon('refusal', urn)) return
      const cut = detail.slice(0, maxDetailLength).toWellFormed()
      record(urn, (current, at) => ({ ...current, lastRefusedReport: { at, status, detail: cut } }))
    },
    async read({ id, createdAtMs }) {
      const { pairings, lastToken, lastRefusedReport } = (await store.get<DeviceHistory>(toKey(id))) ?? empty
      const isOwn = ({ at }: { at: string }) => Date.parse(at) >= createdAtMs
      return {
        pairings: pairings.filter(isOwn),
        lastToken: lastToken && isOwn(lastToken) ? lastToken : null,
        lastRefusedReport: lastRefusedReport && isOwn(lastRefusedReport) ? lastRefusedReport : null,
      }
    },
    async idle() {
      await Promise.all(writing)
    },
  }
}

function toKey(urn: string): string {
  return `device-history:${urn}`
}
