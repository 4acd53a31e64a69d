/**
 * The 60 s promise that a user makes for one device (specification, "Other shown moves").
 * In: Pair pressed, and the device calling with its local ID. Out: at most one consumption per promise, and who it was.
 */
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '../errors.ts'
import type { Clock } from '../ports/clock.ts'
import type { DeviceRecord } from '../ports/directory.ts'
import type { Principal } from '../ports/principal.ts'
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
  /** `contested`: with a strict source, more than one asked, and nobody has tokens of it. */
  state: 'pending' | 'consumed' | 'cancelled' | 'contested'
  /** Whose promise it is; none when an operator made it. */
  startedBy: Principal | null
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
  start(device: DeviceRecord, startedBy?: Principal | null): Promise<PairingRequestRecord>
  find(id: string): Promise<PairingRequestRecord | undefined>
  /** Closes the window; nothing changes for a request that has ended already. */
  cancel(request: PairingRequestRecord): Promise<void>
  /**
   * Of any number of callers within the window exactly one gets the request; the others get `undefined`.
   * Whoever asks in vain is told after one read, whatever the reason: how long it takes says nothing. What is worth
   * keeping of them, at most `maxSources` of a window, is written afterwards.
   */
  consume(localId: string, asking: Asking): Promise<PairingRequestRecord | undefined>
  /** False when the request that was consumed is contested since: to be asked once its tokens are issued. */
  stands(request: PairingRequestRecord): Promise<boolean>
  /** Resolves when all that is to be kept of those who asked in vain is written. */
  idle(): Promise<void>
}

export interface PairingRequestsOptions {
  store: Store
  clock: Clock
  /** A promise ends with what its maker was signed in by: log-out, or a user who was disabled. Default: it does not. */
  isRevoked?: (principal: Principal) => Promise<boolean>
  /** Told when more than one source asks for a sensor's tokens, at each new one. Default: nobody. */
  onSeveralSources?: (request: PairingRequestRecord) => void
  /** A window in which more than one source asks leaves tokens to nobody. Default: the first one gets them. */
  strictSource?: { endTokens(deviceUrn: string): Promise<void> } | undefined
  /** Told when what is to be kept of those who asked in vain cannot be written. Default: nobody. */
  onError?: (error: unknown) => void
}

export function createPairingRequests({
  store,
  clock,
  isRevoked = async () => false,
  onSeveralSources = () => {},
  strictSource,
  onError = () => {},
}: PairingRequestsOptions): PairingRequests {
  const byId = (id: string) => `pairing-request:${id}`
  // One request per local ID in the whole service, until its window ends: the device names nothing else when it calls.
  const inWindow = (localId: string) => `pairing-pending:${localId}`
  const recentSources = createRecentSources({ clock, forMs: pairingWindowMs })
  /** Of those who asked in vain, by local ID. */
  const late = new Map<string, string[]>()
  let noting: Promise<void> | undefined

  /** False when somebody else changed the request of this local ID meanwhile. */
  async function change(current: PairingRequestRecord, next: PairingRequestRecord): Promise<boolean> {
    const leftMs = current.expiresAtMs - clock.now()
    if (leftMs <= 0) return false
    if (!(await store.replace(inWindow(current.localId), current, next, leftMs))) return false
    await store.put(byId(next.id), next, rememberedMs)
    return true
  }

  async function start(device: DeviceRecord, startedBy: Principal | null = null): Promise<PairingRequestRecord> {
    const key = inWindow(device.localId)
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
    await store.put(byId(request.id), request, rememberedMs)
    // Lost a race against another Pair or the device itself: look again.
    if (!(await store.replace(key, current, request, pairingWindowMs))) return start(device, startedBy)
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

  async function findInWindow(localId: string): Promise<PairingRequestRecord | undefined> {
    const current = await store.get<PairingRequestRecord>(inWindow(localId))
    return current && current.expiresAtMs > clock.now() ? current : undefined
  }

  async function consume(localId: string, asking: Asking): Promise<PairingRequestRecord | undefined> {
    const sources = recentSources.note(localId, asking.address)
    const current = await findInWindow(localId)
    if (!current) return undefined
    const asked = withSources(current, sources)
    if (!(await isOpenTo(asked))) {
      if (toLate(current, asked) !== current) noteLater(localId, sources)
      return undefined
    }
    const next: PairingRequestRecord = { ...asked, state: 'consumed', consumedBy: { ...asking, atMs: clock.now() } }
    // Lost a race: whoever won it, this caller is told what he would be told a moment later.
    if (!(await change(current, next))) return consume(localId, asking)
    tellSources(current, next)
    return next
  }

  async function isOpenTo({ state, startedBy, sources }: PairingRequestRecord): Promise<boolean> {
    if (state !== 'pending' || (strictSource && sources.length > 1)) return false
    return startedBy === null || !(await isRevoked(startedBy))
  }

  /** What becomes of a request when somebody asks in vain; itself when nothing does. */
  function toLate(current: PairingRequestRecord, asked: PairingRequestRecord): PairingRequestRecord {
    const { state } = current
    if (state !== 'pending' && state !== 'consumed') return current
    if (strictSource && asked.sources.length > 1) return { ...asked, state: 'contested' }
    return state === 'consumed' ? asked : current
  }

  function noteLater(localId: string, sources: string[]): void {
    late.set(localId, sources)
    noting ??= noteAll()
  }

  async function noteAll(): Promise<void> {
    while (late.size > 0) {
      // The answer goes out first.
      await setImmediate()
      const all = [...late]
      late.clear()
      await Promise.all(all.map(([localId, sources]) => noteSources(localId, sources).catch(onError)))
    }
    noting = undefined
  }

  async function noteSources(localId: string, sources: string[]): Promise<void> {
    const current = await findInWindow(localId)
    if (!current) return
    const next = toLate(current, withSources(current, sources))
    if (next === current) return
    if (!(await change(current, next))) return noteSources(localId, sources)
    tellSources(current, next)
    if (next.state === 'contested' && current.state === 'consumed') await strictSource?.endTokens(next.deviceUrn)
  }

  function tellSources(current: PairingRequestRecord, next: PairingRequestRecord): void {
    if (next.sources.length > Math.max(1, current.sources.length)) onSeveralSources(next)
  }

  return {
    start,
    find: (id) => store.get<PairingRequestRecord>(byId(id)),
    cancel,
    consume,
    async stands({ id, localId }) {
      if (!strictSource) return true
      const current = await store.get<PairingRequestRecord>(inWindow(localId))
      return current?.id !== id || current.state !== 'contested'
    },
    idle: async () => noting,
  }
}

function pendingElsewhere(localId: string): ApiError {
  return new ApiError(
    'pairing_pending_elsewhere',
    `Another account is pairing a sensor with the local ID "${localId}" right now; try again in a minute`,
  )
}
