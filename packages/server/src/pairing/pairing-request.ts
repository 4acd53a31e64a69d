/**
 * Manages pairing requests: for 60 s, a user lets one device fetch its tokens (specification, "Other shown moves").
 * In: a user presses Pair; a device calls with its local ID. Out: at most one caller consumes each request.
 */
import { randomUUID } from 'node:crypto'
import { createBatch, waitIterations } from '../concurrency/batch.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import { ApiError } from '../errors.ts'
import type { Audit } from '../identity/audit.ts'
import type { Clock } from '../ports/clock.ts'
import type { Principal } from '../ports/principal.ts'
import type { DeviceRecord } from '../ports/storage/directory.ts'
import type { Store } from '../ports/storage/store.ts'
import { createRecentSources, maxSources } from './recent-sources.ts'

export const pairingWindowMs = 60_000

/** How long a request can be read after it was created. */
const rememberedMs = 15 * 60_000

export interface PairingRequestRecord {
  id: string
  deviceUrn: string
  accountId: string
  localId: string
  expiresAtMs: number
  /** `contested`: `strictSource` is set, and several sources asked, so none of them keeps tokens. */
  state: 'pending' | 'consumed' | 'cancelled' | 'contested'
  /** Null when an operator started the request on the command line. */
  startedBy: Principal | null
  consumedBy: PairingConsumer | null
  /** Hashes of the callers that asked for this local ID (see `recent-sources.ts`); at most `maxSources`. */
  sources: string[]
}

export interface PairingConsumer {
  address: string
  userAgent: string | null
  atMs: number
}

/** The caller that asks for tokens. */
export type PairingCaller = Pick<PairingConsumer, 'address' | 'userAgent'>

export interface PairingRequests {
  /** Opens the window, or restarts it. @throws ApiError `pairing_not_allowed`, `pairing_pending_elsewhere` */
  start(device: DeviceRecord, startedBy?: Principal | null): Promise<PairingRequestRecord>
  find(id: string): Promise<PairingRequestRecord | undefined>
  /** Closes the window; does nothing to a request that has ended. */
  cancel(request: PairingRequestRecord): Promise<void>
  /**
   * Exactly one of the callers within the window gets the request; the others get `undefined`.
   * A refused call always reads the store once, so that its duration does not reveal the reason. The sources of refused
   * callers, at most `maxSources` per window, are written after the answer.
   */
  consume(localId: string, caller: PairingCaller): Promise<PairingRequestRecord | undefined>
  /** Returns false when the request was contested after it was consumed. Call it after tokens are issued. */
  isUncontested(request: PairingRequestRecord): Promise<boolean>
  /** Resolves when the sources of refused callers are written. */
  idle(): Promise<void>
}

export interface PairingRequestsOptions {
  store: Store
  devices: Pick<DeviceRegistry, 'findEarlierOwner'>
  clock: Clock
  audit?: Audit
  /** Whether the sign-in that started a request has ended, for example by log-out. Default: never. */
  isRevoked?: (principal: Principal) => Promise<boolean>
  /** Called for each source after the first that asks for a sensor's tokens. */
  onSeveralSources?: (request: PairingRequestRecord) => void
  /** If several sources ask within a window, none of them gets tokens. Default: the first one gets them. */
  strictSource?: { endTokens(deviceUrn: string): Promise<void> } | undefined
  /** Called when the sources of refused callers could not be written. */
  onError?: (error: unknown) => void
}

export function createPairingRequests({
  store,
  devices,
  clock,
  audit = () => {},
  isRevoked = async () => false,
  onSeveralSources = () => {},
  strictSource,
  onError = () => {},
}: PairingRequestsOptions): PairingRequests {
  const idKey = (id: string) => `pairing-request:${id}`
  // Only one request per local ID is open in the whole service, because the device sends only its local ID.
  const windowKey = (localId: string) => `pairing-pending:${localId}`
  const recentSources = createRecentSources({ clock, forMs: pairingWindowMs })
  const recordRefused = createBatch<{ localId: string; sources: string[] }>({
    async run(callers) {
      const latest = new Map(callers.map(({ localId, sources }) => [localId, sources]))
      await Promise.all([...latest].map(([localId, sources]) => recordSources(localId, sources).catch(onError)))
    },
    // First answer the refused caller.
    wait: waitIterations(1),
    isSerial: true,
  })
  let lastRecorded = Promise.resolve()

  /** Returns false when another caller changed the request of this local ID first, or its window has ended. */
  async function change(current: PairingRequestRecord, next: PairingRequestRecord): Promise<boolean> {
    const leftMs = current.expiresAtMs - clock.now()
    if (leftMs <= 0) return false
    if (!(await store.replace(windowKey(current.localId), current, next, leftMs))) return false
    await store.put(idKey(next.id), next, rememberedMs)
    return true
  }

  async function start(device: DeviceRecord, startedBy: Principal | null): Promise<PairingRequestRecord> {
    const key = windowKey(device.localId)
    const request: PairingRequestRecord = {
      id: `pr_${randomUUID()}`,
      deviceUrn: device.id,
      accountId: device.accountId,
      localId: device.localId,
      expiresAtMs: clock.now() + pairingWindowMs,
      state: 'pending',
      startedBy,
      consumedBy: null,
      sources: [],
    }
    const current = await store.get<PairingRequestRecord>(key)
    if (current?.state === 'pending' && current.accountId !== device.accountId) throw pendingElsewhere(device.localId)
    await store.put(idKey(request.id), request, rememberedMs)
    // Another user or the device changed it first: read it again.
    if (!(await store.replace(key, current, request, pairingWindowMs))) return start(device, startedBy)
    if (current?.state === 'pending')
      await store.put(idKey(current.id), { ...current, state: 'cancelled' }, rememberedMs)
    return request
  }

  /** @throws ApiError */
  async function checkAllowed(device: DeviceRecord, startedBy: Principal | null): Promise<void> {
    const earlier = await devices.findEarlierOwner(device)
    if (!earlier) return
    const by = startedBy?.kind === 'user' ? { userId: startedBy.userId } : {}
    audit({ event: 'pairing-refused', deviceUrn: device.id, earlierUrn: earlier.id, ...by })
    throw notAllowed(device)
  }

  async function cancel(request: PairingRequestRecord): Promise<void> {
    const current = await store.get<PairingRequestRecord>(windowKey(request.localId))
    // The device consumed the request first, or a newer request replaced it.
    if (current?.id !== request.id || current.state !== 'pending') return
    if (!(await change(current, { ...current, state: 'cancelled' }))) return cancel(request)
  }

  /** Returns the request with these sources added; the same object when it has them all. */
  function withSources(request: PairingRequestRecord, sources: string[]): PairingRequestRecord {
    const all = [...new Set([...request.sources, ...sources])].slice(0, maxSources)
    return all.length === request.sources.length ? request : { ...request, sources: all }
  }

  async function findInWindow(localId: string): Promise<PairingRequestRecord | undefined> {
    const current = await store.get<PairingRequestRecord>(windowKey(localId))
    return current && current.expiresAtMs > clock.now() ? current : undefined
  }

  async function consume(localId: string, caller: PairingCaller): Promise<PairingRequestRecord | undefined> {
    const sources = recentSources.record(localId, caller.address)
    const current = await findInWindow(localId)
    if (!current) return undefined
    const updated = withSources(current, sources)
    if (!(await canBeConsumed(updated))) {
      if (afterRefusal(current, updated) !== current) lastRecorded = recordRefused({ localId, sources })
      return undefined
    }
    const next: PairingRequestRecord = { ...updated, state: 'consumed', consumedBy: { ...caller, atMs: clock.now() } }
    // Another caller changed it first: read it again.
    if (!(await change(current, next))) return consume(localId, caller)
    reportSources(current, next)
    return next
  }

  async function canBeConsumed({ state, startedBy, sources }: PairingRequestRecord): Promise<boolean> {
    if (state !== 'pending' || (strictSource && sources.length > 1)) return false
    return startedBy === null || !(await isRevoked(startedBy))
  }

  /** Returns the request after a refused caller; the same object when nothing changes. */
  function afterRefusal(current: PairingRequestRecord, updated: PairingRequestRecord): PairingRequestRecord {
    const { state } = current
    if (state !== 'pending' && state !== 'consumed') return current
    if (strictSource && updated.sources.length > 1) return { ...updated, state: 'contested' }
    return state === 'consumed' ? updated : current
  }

  async function recordSources(localId: string, sources: string[]): Promise<void> {
    const current = await findInWindow(localId)
    if (!current) return
    const next = afterRefusal(current, withSources(current, sources))
    if (next === current) return
    if (!(await change(current, next))) return recordSources(localId, sources)
    reportSources(current, next)
    if (next.state === 'contested' && current.state === 'consumed') await strictSource?.endTokens(next.deviceUrn)
  }

  function reportSources(current: PairingRequestRecord, next: PairingRequestRecord): void {
    if (next.sources.length > Math.max(1, current.sources.length)) onSeveralSources(next)
  }

  return {
    async start(device, startedBy = null) {
      await checkAllowed(device, startedBy)
      return start(device, startedBy)
    },
    find: (id) => store.get<PairingRequestRecord>(idKey(id)),
    cancel,
    consume,
    async isUncontested({ id, localId }) {
      if (!strictSource) return true
      const current = await store.get<PairingRequestRecord>(windowKey(localId))
      return current?.id !== id || current.state !== 'contested'
    },
    idle: () => lastRecorded,
  }
}

function notAllowed({ id, localId }: DeviceRecord): ApiError {
  return new ApiError(
    'pairing_not_allowed',
    `Another account had the local ID "${localId}" before this sensor was registered, so an operator of this service has to allow its pairing: posrep-server devices allow-pairing ${id}`,
  )
}

function pendingElsewhere(localId: string): ApiError {
  return new ApiError(
    'pairing_pending_elsewhere',
    `Another account is pairing a sensor with the local ID "${localId}" right now; try again in a minute`,
  )
}
