/**
 * Lists, resends and tests the deliveries of a device, for its user.
 * In: a device and an id. Out: pending, buried and recently delivered messages, all as `DeliveryView`.
 */
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import { buriedPortion, type DeliveryLog, type LogBound, type LogDepth } from '../../ports/storage/log.ts'
import type { RecentDeliveries, RecentDelivery } from '../../ports/storage/recent-deliveries.ts'
import type { Store } from '../../ports/storage/store.ts'
import type { SendRelayMessage } from '../sender/send-relay-message.ts'
import { headCharacters, toDeliveryId, toLog, toSeq } from './delivery.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import { buriedView, type DeliveryView, endedView, pendingView, withEarlier } from './delivery-view.ts'
import { type Dropped, type DroppedDeliveries, findDropped } from './dropped-deliveries.ts'
import type { QueueFailures } from './queue-failures.ts'
import { createSendTest, notActive } from './send-test.ts'

export interface Page {
  limit: number
  /** Starts the page after this delivery. Only for pending and buried deliveries. */
  after?: string | undefined
}

/** What a relay did not accept at the last attempt. */
export interface Retried {
  /** The first message that waits. */
  first: DeliveryView
  /** When the first of the attempts failed after which the relay accepted nothing. */
  failingSinceMs: number
}

/**
 * The device whose deliveries are wanted: none that were appended before its creation, when another device may have had
 * its URN.
 */
type Owner = Pick<DeviceRecord, 'id' | 'createdAtMs'>

export interface Deliveries {
  /** In the order in which they are sent. */
  listPending(device: Owner, page: Page): Promise<DeliveryView[]>
  /** The first message that waits, if it is being retried. */
  findRetried(device: Owner): Promise<Retried | undefined>
  /** Ends the wait before the next attempt. @throws ApiError `relay_not_active` */
  retry(device: DeviceRecord): Promise<void>
  /** In the order in which they were appended. */
  listBuried(device: Owner, page: Page): Promise<DeliveryView[]>
  /** Newest first. */
  listDelivered(device: Owner, limit: number): Promise<DeliveryView[]>
  /** `dropped` counts drops of the relay's current address. */
  count(device: DeviceRecord): Promise<{ pending: number; buried: number; dropped: Dropped | undefined }>
  depth(device: Owner): Promise<Pick<LogDepth, 'waiting' | 'buried'>>
  /** @throws ApiError `delivery_not_found` */
  get(device: Owner, id: string): Promise<DeliveryView>
  /** @throws ApiError `delivery_not_found`, `delivery_not_resendable` */
  resend(device: DeviceRecord, id: string): Promise<void>
  /** How many buried messages the backlog has room for: more would drop messages that wait. */
  roomFor(device: Owner): Promise<number>
  /**
   * Queues a portion of the oldest buried messages again, at most `limit`. Returns how many; 0 when there are no more.
   */
  resendBuried(device: Owner, limit: number): Promise<number>
  /** Sends a test message at once, before pending messages, without retries. @throws ApiError `relay_not_active` */
  sendTest(device: DeviceRecord): Promise<DeliveryView>
}

export interface DeliveriesOptions {
  store: Store
  deliveryLog: DeliveryLog
  recentDeliveries: RecentDeliveries
  queueFailures: QueueFailures
  recorder: DeliveryRecorder
  dropped: DroppedDeliveries
  send: SendRelayMessage
  clock: Clock
  /** Beyond it, the oldest deliveries are dropped. */
  bound(deviceUrn: string): LogBound
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { store, deliveryLog, recentDeliveries, queueFailures, recorder, dropped, send, clock, bound } = options

  const sendTest = createSendTest({ send, clock, record: async (sent) => recorder.record(sent) })

  /**
   * Deletes the buried messages of an earlier device with this URN, which must not be shown or sent to the relay of
   * this one.
   */
  async function forgetFormer({ id, createdAtMs }: Owner): Promise<void> {
    const [oldest] = await deliveryLog.listBuried({ queue: id, limit: 1, characters: 1 })
    if (oldest && oldest.appendedAtMs < createdAtMs) await deliveryLog.forgetBuriedOf(id, createdAtMs)
  }

  async function listEnded({ id, createdAtMs }: Owner): Promise<RecentDelivery[]> {
    return (await recentDeliveries.list(id)).filter(({ appendedAtMs }) => appendedAtMs >= createdAtMs)
  }

  async function findPending({ id: deviceUrn, createdAtMs }: Owner, seq: number): Promise<DeliveryView | undefined> {
    const [entry] = await deliveryLog.list(deviceUrn, { afterSeq: seq - 1, limit: 1 })
    if (entry?.seq !== seq || entry.appendedAtMs < createdAtMs) return undefined
    return pendingView(deviceUrn, entry, await queueFailures.read(deviceUrn))
  }

  async function findBuried({ id: deviceUrn, createdAtMs }: Owner, seq: number): Promise<DeliveryView | undefined> {
    const [entry] = await deliveryLog.listBuried({ queue: deviceUrn, afterSeq: seq - 1, limit: 1 })
    if (entry?.seq !== seq || entry.appendedAtMs < createdAtMs) return undefined
    return buriedView(entry, await recentDeliveries.find(deviceUrn, toDeliveryId(seq)))
  }

  async function get(device: Owner, id: string): Promise<DeliveryView> {
    const seq = toSeq(id)
    const inLog = seq === undefined ? undefined : ((await findPending(device, seq)) ?? (await findBuried(device, seq)))
    const history = await listEnded(device)
    if (inLog) return withEarlier(inLog, history)
    const ended = history.find((delivery) => delivery.id === id)
    // A test message has no seq. A buried delivery that is not in the log any more was resent or deleted: it is not
    // found.
    if (ended?.state === 'delivered' || (ended && seq === undefined)) {
      return withEarlier(endedView(ended), history)
    }
    throw new ApiError('delivery_not_found', `This device has no delivery "${id}", or it is too old`)
  }

  async function depth(device: Owner): Promise<LogDepth> {
    const found = await deliveryLog.depth(device.id)
    if (found.buried === 0) return found
    await forgetFormer(device)
    return deliveryLog.depth(device.id)
  }

  return {
    get,
    async listPending(device, { limit, after }) {
      const [entries, failures, ended] = await Promise.all([
        deliveryLog.list(device.id, { ...toAfterSeq(after), limit, characters: headCharacters }),
        queueFailures.read(device.id),
        listEnded(device),
      ])
      // The courier is about to bury the others.
      const own = entries.filter(({ appendedAtMs }) => appendedAtMs >= device.createdAtMs)
      return own.map((entry) => withEarlier(pendingView(device.id, entry, failures), ended))
    },
    async findRetried(device) {
      const failures = await queueFailures.read(device.id)
      if (!failures) return undefined
      const [entry] = await deliveryLog.list(device.id, { limit: 1, characters: headCharacters })
      if (entry?.seq !== failures.head.seq || entry.appendedAtMs < device.createdAtMs) return undefined
      const first = withEarlier(pendingView(device.id, entry, failures), await listEnded(device))
      return { first, failingSinceMs: failures.firstFailedAtMs }
    },
    async retry({ id, relay }) {
      if (relay?.state !== 'Active') throw notActive('Messages are sent only to an Active relay', relay)
      await deliveryLog.wake(id)
    },
    async listBuried(device, { limit, after }) {
      await forgetFormer(device)
      const [entries, ended] = await Promise.all([
        deliveryLog.listBuried({ queue: device.id, ...toAfterSeq(after), limit, characters: headCharacters }),
        listEnded(device),
      ])
      const byId = new Map(ended.map((delivery) => [delivery.id, delivery]))
      return entries.map((entry) => withEarlier(buriedView(entry, byId.get(toDeliveryId(entry.seq))), ended))
    },
    async listDelivered(device, limit) {
      const ended = await listEnded(device)
      return ended
        .filter(({ id, state }) => state === 'delivered' || toSeq(id) === undefined)
        .slice(0, limit)
        .map((delivery) => withEarlier(endedView(delivery), ended))
    },
    async count(device) {
      const { id: deviceUrn, createdAtMs, relay } = device
      const [{ waiting, buried }, dropped] = await Promise.all([
        depth(device),
        relay ? findDropped(store, deviceUrn, relay.url) : undefined,
      ])
      const isOwn = dropped !== undefined && dropped.firstAtMs >= createdAtMs
      return { pending: waiting, buried, dropped: isOwn ? dropped : undefined }
    },
    depth,
    async resend(device, id) {
      const { id: deviceUrn, relay } = device
      const { state, messageId, positions, message, isTruncated } = await get(device, id)
      const seq = toSeq(id)
      if (state === 'pending') throw notResendable(`The message "${id}" is still waiting to be sent`)
      if (seq === undefined) throw notResendable('A test message cannot be resent; send another one')
      if (state === 'buried') {
        await deliveryLog.unbury([seq])
        return
      }
      if (isTruncated) throw notResendable(`Only the beginning of the message "${id}" was stored`)
      const body = toLog({ id: messageId, positions, message })
      const appended = await deliveryLog.append([{ queue: deviceUrn, body }], bound(deviceUrn))
      if (relay && appended.dropped > 0) dropped.record(deviceUrn, relay.url, appended.dropped)
      for (const { queue, entries } of appended.others ?? []) dropped.record(queue, undefined, entries)
    },
    async roomFor(device) {
      const { waiting, buried } = await depth(device)
      const { perQueue = Number.POSITIVE_INFINITY } = bound(device.id)
      return Math.min(buried, Math.max(0, perQueue - waiting))
    },
    async resendBuried(device, limit) {
      await forgetFormer(device)
      const seqs = await deliveryLog.oldestBuried(device.id, Math.min(limit, buriedPortion.entries))
      return deliveryLog.unbury(seqs)
    },
    sendTest: async (device) => endedView(await sendTest(device)),
  }
}

function toAfterSeq(after: string | undefined): { afterSeq?: number } {
  const seq = after === undefined ? undefined : toSeq(after)
  return seq === undefined ? {} : { afterSeq: seq }
}

function notResendable(message: string): ApiError {
  return new ApiError('delivery_not_resendable', message)
}
