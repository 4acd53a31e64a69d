/**
 * The 60 s promise that a user makes for one device (specification, "Other shown moves").
 * In: Pair pressed, and the device calling with its local ID. Out: at most one consumption per promise.
 */
import { randomUUID } from 'node:crypto'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import type { Store } from '../ports/store.ts'

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
}

export interface PairingRequests {
  /** Opens the window, or opens it anew. @throws ApiError `pairing_pending_elsewhere` */
  start(device: DeviceRecord): Promise<PairingRequestRecord>
  find(id: string): Promise<PairingRequestRecord | undefined>
  /** Closes the window; nothing changes for a request that has ended already. */
  cancel(request: PairingRequestRecord): Promise<void>
  /** Of any number of callers within the window exactly one gets the request; the others get `undefined`. */
  consume(localId: string): Promise<PairingRequestRecord | undefined>
}

export function createPairingRequests({ store, clock }: { store: Store; clock: Clock }): PairingRequests {
  const byId = (id: string) => `pairing-request:${id}`
  // One pending request per local ID in the whole service: the device names nothing else when it calls.
  const pending = (localId: string) => `pairing-pending:${localId}`

  async function start(device: DeviceRecord): Promise<PairingRequestRecord> {
    const key = pending(device.localId)
    const request: PairingRequestRecord = {
      id: `pr_${randomUUID()}`,
      deviceUrn: device.id,
      accountId: device.accountId,
      localId: device.localId,
      expiresAtMs: clock.now() + pairingWindowMs,
      state: 'pending',
    }
    const current = await store.get<PairingRequestRecord>(key)
    if (current?.state === 'pending' && current.accountId !== device.accountId) throw pendingElsewhere(device.localId)
    await store.put(byId(request.id), request, rememberedMs)
    // Lost a race against another Pair or the device itself: look again.
    if (!(await store.replace(key, current, request, pairingWindowMs))) return start(device)
    if (current) await store.put(byId(current.id), { ...current, state: 'cancelled' }, rememberedMs)
    return request
  }

  return {
    start,
    find: (id) => store.get<PairingRequestRecord>(byId(id)),
    async cancel(request) {
      const current = await store.get<PairingRequestRecord>(pending(request.localId))
      if (current?.id !== request.id) return
      const cancelled: PairingRequestRecord = { ...current, state: 'cancelled' }
      // Lost a race: the device came first, or Pair was pressed again, which voids this request as well.
      if (!(await store.replace(pending(request.localId), current, cancelled, pairingWindowMs))) return
      await store.put(byId(request.id), cancelled, rememberedMs)
    },
    async consume(localId) {
      const request = await store.take<PairingRequestRecord>(pending(localId))
      if (request?.state !== 'pending' || request.expiresAtMs <= clock.now()) return undefined
      await store.put(byId(request.id), { ...request, state: 'consumed' }, rememberedMs)
      return request
    },
  }
}

function pendingElsewhere(localId: string): ApiError {
  return new ApiError(
    'pairing_pending_elsewhere',
    `Another account is pairing a sensor with the local ID "${localId}" right now; try again in a minute`,
  )
}
