/**
 * The 60 s promise that a user makes for one device (specification, "Other shown moves").
 * In: Pair pressed, and the device calling with its local ID. Out: at most one consumption per promise, and who it was.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import type { Store } from '../ports/store.ts'
import { createRecentSources, maxSources } from './recent-sources.ts'

const pairingWindowMs = 60_000

/** How long its creator can still ask how a request ended. */
const rememberedMs = 15 * 60_000

export interface PairingRequestRecord {
  id: string
  deviceUrn: string
  accountId: string
  localId: string
  expiresAtMs: number
  state: 'pending' | 'consumed' | 'cancelled'
  consumedBy: PairingConsumer | null
  /** Those who asked for this local ID, as `recent-sources.ts` names them; `maxSources` at most. */
  sources: string[]
}

export interface PairingConsumer {
  address: string
  userAgent: string | null
  atMs: number
}

/** Who asks for tokens. */
export type Asking = Pick<PairingConsumer, 'address' | 'userAgent'>

export interface PairingRequests {
  /** Opens the window, or opens it anew. @throws ApiError `pairing_pending_elsewhere` */
  start(device: DeviceRecord): Promise<PairingRequestRecord>
  find(id: string): Promise<PairingRequestRecord | undefined>
  /** Closes the window; nothing changes for a request that has ended already. */
  cancel(request: PairingRequestRecord): Promise<void>
  /**
   * Of any number of callers within the window exactly one gets the request; the others get `undefined`.
   * While there is no window nothing is written; within one, at most `maxSources` callers that come too late.
   */
  consume(localId: string, asking: Asking): Promise<PairingRequestRecord | undefined>
}

export function createPairingRequests({ store, clock }: { store: Store; clock: Clock }): PairingRequests {
  const byId = (id: string) => `pairing-request:${id}`
  // One request per local ID in the whole service, until its window ends: the device names nothing else when it calls.
  const inWindow = (localId: string) => `pairing-pending:${localId}`
  const recentSources = createRecentSources({ clock, forMs: pairingWindowMs })

  /** False when somebody else changed the request of this local ID meanwhile. */
  async function change(current: PairingRequestRecord, next: PairingRequestRecord): Promise<boolean> {
    const leftMs = current.expiresAtMs - clock.now()
    if (leftMs <= 0) return false
    if (!(await store.replace(inWindow(current.localId), current, next, leftMs))) return false
    await store.put(byId(next.id), next, rememberedMs)
    return true
  }

  async function start(device: DeviceRecord): Promise<PairingRequestRecord> {
    const key = inWindow(device.localId)
    const request: PairingRequestRecord = {
      id: `pr_${randomUUID()}`,
      deviceUrn: device.id,
      accountId: device.accountId,
      localId: device.localId,
      expiresAtMs: clock.now() + pairingWindowMs,
      state: 'pending',
      consumedBy: null,
      sources: [],
    }
    const current = await store.get<PairingRequestRecord>(key)
    if (current?.state === 'pending' && current.accountId !== device.accountId) throw pendingElsewhere(device.localId)
    await store.put(byId(request.id), request, rememberedMs)
    // Lost a race against another Pair or the device itself: look again.
    if (!(await store.replace(key, current, request, pairingWindowMs))) return start(device)
    if (current?.state === 'pending')
      await store.put(byId(current.id), { ...current, state: 'cancelled' }, rememberedMs)
    return request
  }

  async function cancel(request: PairingRequestRecord): Promise<void> {
    const current = await store.get<PairingRequestRecord>(inWindow(request.localId))
    // The device came first, or Pair was pressed again, which voids this request as well.
    if (current?.id !== request.id || current.state !== 'pending') return
    if (!(await change(current, { ...current, state: 'cancelled' }))) return cancel(request)
  }

  /** The request with one more source, if it is a new one. */
  function withSources(request: PairingRequestRecord, sources: string[]): PairingRequestRecord {
    const all = [...new Set([...request.sources, ...sources])].slice(0, maxSources)
    return all.length === request.sources.length ? request : { ...request, sources: all }
  }

  async function consume(localId: string, asking: Asking): Promise<PairingRequestRecord | undefined> {
    const sources = recentSources.note(localId, asking.address)
    const current = await store.get<PairingRequestRecord>(inWindow(localId))
    if (!current || current.expiresAtMs <= clock.now()) return undefined
    const next = withSources(current, sources)
    if (current.state === 'pending') {
      const consumed: PairingRequestRecord = {
        ...next,
        state: 'consumed',
        consumedBy: { ...asking, atMs: clock.now() },
      }
      // Lost a race: whoever won it, this caller is told what he would be told a moment later.
      return (await change(current, consumed)) ? consumed : consume(localId, asking)
    }
    if (next !== current) await change(current, next)
    return undefined
  }

  return { start, find: (id) => store.get<PairingRequestRecord>(byId(id)), cancel, consume }
}

function pendingElsewhere(localId: string): ApiError {
  return new ApiError(
    'pairing_pending_elsewhere',
    `Another account is pairing a sensor with the local ID "${localId}" right now; try again in a minute`,
  )
}
