/**
 * Lists, resends and tests the deliveries of a device, for its user.
 * In: a device and an id. Out: pending, buried and recently delivered messages, all as `DeliveryView`.
 */
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import {
  type BuriedEntry,
  buriedPortion,
  type DeliveryLog,
  type LogBound,
  type LogDepth,
  type LogEntry,
} from '../../ports/storage/log.ts'
import type { RecentDeliveries, RecentDelivery } from '../../ports/storage/recent-deliveries.ts'
import type { Store } from '../../ports/storage/store.ts'
import type { SendRelayMessage } from '../sender/send-relay-message.ts'
import { fromLog, headCharacters, toDeliveryId, toLog, toSeq } from './delivery.ts'
import type { DeliveryRecorder } from './delivery-recorder.ts'
import { type Dropped, type DroppedDeliveries, findDropped } from './dropped-deliveries.ts'
import type { FailureRecord, QueueFailures } from './queue-failures.ts'
import { createSendTest } from './send-test.ts'

export interface DeliveryView extends Omit<RecentDelivery, 'state' | 'endedAtMs'> {
  state: 'pending' | 'delivered' | 'buried'
  nextAttemptAtMs: number | null
}

export interface Page {
  limit: number
  /** Starts the page after this delivery. Only for pending and buried deliveries. */
  after?: string | undefined
}

export interface Deliveries {
  /** In the order in which they are sent. */
  listPending(deviceUrn: string, page: Page): Promise<DeliveryView[]>
  /** In the order in which they were appended. */
  listBuried(deviceUrn: string, page: Page): Promise<DeliveryView[]>
  /** Newest first. */
  listDelivered(deviceUrn: string, limit: number): Promise<DeliveryView[]>
  /** `dropped` counts drops of the relay's current address. */
  count(device: DeviceRecord): Promise<{ pending: number; buried: number; dropped: Dropped | undefined }>
  depth(deviceUrn: string): Promise<Pick<LogDepth, 'waiting' | 'buried'>>
  /** @throws ApiError `delivery_not_found` */
  get(deviceUrn: string, id: string): Promise<DeliveryView>
  /** @throws ApiError `delivery_not_found`, `delivery_not_resendable` */
  resend(device: DeviceRecord, id: string): Promise<void>
  /** How many buried messages the backlog has room for: more would drop messages that wait. */
  roomFor(deviceUrn: string): Promise<number>
  /** Queues a portion of the oldest buried messages again, at most `limit`. Returns how many; 0 when there are no more. */
  resendBuried(deviceUrn: string, limit: number): Promise<number>
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

  async function findPending(deviceUrn: string, seq: number): Promise<DeliveryView | undefined> {
    const [entry] = await deliveryLog.list(deviceUrn, { afterSeq: seq - 1, limit: 1 })
    if (entry?.seq !== seq) return undefined
    return pendingView(deviceUrn, entry, await queueFailures.read(deviceUrn))
  }

  async function findBuried(deviceUrn: string, seq: number): Promise<DeliveryView | undefined> {
    const [entry] = await deliveryLog.listBuried({ queue: deviceUrn, afterSeq: seq - 1, limit: 1 })
    if (entry?.seq !== seq) return undefined
    return buriedView(entry, await recentDeliveries.find(deviceUrn, toDeliveryId(seq)))
  }

  async function get(deviceUrn: string, id: string): Promise<DeliveryView> {
    const seq = toSeq(id)
    const inLog =
      seq === undefined ? undefined : ((await findPending(deviceUrn, seq)) ?? (await findBuried(deviceUrn, seq)))
    if (inLog) return withEarlier(inLog, await recentDeliveries.list(deviceUrn))
    const ended = await recentDeliveries.find(deviceUrn, id)
    // A test message has no seq. A buried delivery that is not in the log any more was resent or deleted: it is not found.
    if (ended?.state === 'delivered' || (ended && seq === undefined)) {
      return withEarlier(endedView(ended), await recentDeliveries.list(deviceUrn))
    }
    throw new ApiError('delivery_not_found', `This device has no delivery "${id}", or it is too old`)
  }

  return {
    get,
    async listPending(deviceUrn, { limit, after }) {
      const [entries, failures, ended] = await Promise.all([
        deliveryLog.list(deviceUrn, { ...toAfterSeq(after), limit, characters: headCharacters }),
        queueFailures.read(deviceUrn),
        recentDeliveries.list(deviceUrn),
      ])
      return entries.map((entry) => withEarlier(pendingView(deviceUrn, entry, failures), ended))
    },
    async listBuried(deviceUrn, { limit, after }) {
      const [entries, ended] = await Promise.all([
        deliveryLog.listBuried({ queue: deviceUrn, ...toAfterSeq(after), limit, characters: headCharacters }),
        recentDeliveries.list(deviceUrn),
      ])
      const byId = new Map(ended.map((delivery) => [delivery.id, delivery]))
      return entries.map((entry) => withEarlier(buriedView(entry, byId.get(toDeliveryId(entry.seq))), ended))
    },
    async listDelivered(deviceUrn, limit) {
      const ended = await recentDeliveries.list(deviceUrn)
      return ended
        .filter(({ id, state }) => state === 'delivered' || toSeq(id) === undefined)
        .slice(0, limit)
        .map((delivery) => withEarlier(endedView(delivery), ended))
    },
    async count({ id: deviceUrn, relay }) {
      const [{ waiting, buried }, droppedOfRelay] = await Promise.all([
        deliveryLog.depth(deviceUrn),
        relay ? findDropped(store, deviceUrn, relay.url) : undefined,
      ])
      return { pending: waiting, buried, dropped: droppedOfRelay }
    },
    depth: (deviceUrn) => deliveryLog.depth(deviceUrn),
    async resend({ id: deviceUrn, relay }, id) {
      const { state, messageId, positions, message, isTruncated } = await get(deviceUrn, id)
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
    async roomFor(deviceUrn) {
      const { waiting, buried } = await deliveryLog.depth(deviceUrn)
      const { perQueue = Number.POSITIVE_INFINITY } = bound(deviceUrn)
      return Math.min(buried, Math.max(0, perQueue - waiting))
    },
    async resendBuried(deviceUrn, limit) {
      const seqs = await deliveryLog.oldestBuried(deviceUrn, Math.min(limit, buriedPortion.entries))
      return deliveryLog.unbury(seqs)
    },
    sendTest: async (device) => endedView(await sendTest(device)),
  }
}

function toAfterSeq(after: string | undefined): { afterSeq?: number } {
  const seq = after === undefined ? undefined : toSeq(after)
  return seq === undefined ? {} : { afterSeq: seq }
}

function pendingView(deviceUrn: string, entry: LogEntry, failures: FailureRecord | undefined): DeliveryView {
  const messageFailures = [failures?.head, failures?.next].find((message) => message?.seq === entry.seq)
  return {
    ...viewOf(deviceUrn, entry),
    state: 'pending',
    attemptCount: messageFailures?.attemptCount ?? 0,
    attempts: messageFailures?.attempts ?? [],
    reason: messageFailures?.attempts.at(-1)?.reason ?? null,
    nextAttemptAtMs: messageFailures && failures ? failures.nextAttemptAtMs : null,
  }
}

function buriedView(entry: BuriedEntry, ended: RecentDelivery | undefined): DeliveryView {
  return {
    ...viewOf(entry.queue, entry),
    state: 'buried',
    attemptCount: ended?.attemptCount ?? 0,
    attempts: ended?.attempts ?? [],
    reason: entry.reason,
    nextAttemptAtMs: null,
  }
}

function viewOf(deviceUrn: string, { seq, appendedAtMs, body }: LogEntry) {
  const { id: messageId, positions, message } = fromLog(body)
  return {
    deviceUrn,
    id: toDeliveryId(seq),
    messageId,
    positions,
    appendedAtMs,
    message,
    isTruncated: false,
  }
}

function endedView({ endedAtMs: _, ...delivery }: RecentDelivery): DeliveryView {
  return { ...delivery, nextAttemptAtMs: null }
}

/**
 * Adds the attempts from before the message was set aside and resent: a resend has the same message, and an ID of its own.
 * @param history The latest first.
 */
function withEarlier(view: DeliveryView, history: RecentDelivery[]): DeliveryView {
  const seq = toSeq(view.id)
  if (seq === undefined) return view
  const earlier = history.filter(
    ({ id, messageId, state }) => state === 'buried' && messageId === view.messageId && (toSeq(id) ?? seq) < seq,
  )
  return {
    ...view,
    attemptCount: earlier.reduce((sum, { attemptCount }) => sum + attemptCount, view.attemptCount),
    attempts: [...earlier.toReversed().flatMap(({ attempts }) => attempts), ...view.attempts],
  }
}

function notResendable(message: string): ApiError {
  return new ApiError('delivery_not_resendable', message)
}
