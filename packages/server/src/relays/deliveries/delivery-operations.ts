/** The HTTP operations of deliveries: list, read, resend one or all buried, send a test message, and try again now. */
import type {
  BuriedMessages,
  Delivery,
  DeliveryList,
  DeliveryMetric,
  DeliverySummary,
  RetryingRelay,
} from '@posrep/spec'
import type { ReadingBudget } from '../../concurrency/reading-budget.ts'
import type { DeviceRegistry } from '../../devices/registry.ts'
import type { Handlers } from '../../http/operation/operation.ts'
import { getReader, getUser } from '../../http/operation/principal.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import type { DeliveryAttempt } from '../../ports/storage/recent-deliveries.ts'
import type { RelayLimits } from '../update/relay-limits.ts'
import type { Deliveries, Retried } from './deliveries.ts'
import type { DeliveryMetrics, DeliveryMinute } from './delivery-metrics.ts'
import type { DeliveryView } from './delivery-view.ts'

export interface DeliveryOperationsOptions {
  devices: DeviceRegistry
  deliveries: Deliveries
  deliveryMetrics: Pick<DeliveryMetrics, 'list'>
  limits: RelayLimits
  budget: ReadingBudget
  clock: Pick<Clock, 'now'>
}

/** A request that sends buried messages again ends after this time; the caller repeats it for the others. */
const longestResendMs = 5_000

/** Relays that are listed in the summary. */
const maxListed = 1_000

/** Devices that are counted at the same time. */
const pageDevices = 200

const states = ['pending', 'buried', 'delivered'] as const

export function deliveryOperations(options: DeliveryOperationsOptions) {
  const { devices, deliveries, deliveryMetrics, limits, budget, clock } = options

  function list(device: DeviceRecord, state: (typeof states)[number], limit: number, after: string | undefined) {
    switch (state) {
      case 'pending':
        return deliveries.listPending(device, { limit, after })
      case 'buried':
        return deliveries.listBuried(device, { limit, after })
      case 'delivered':
        return deliveries.listDelivered(device, limit)
    }
  }

  async function countAll(accountId: string): Promise<Omit<DeliverySummary, 'deliveryMetrics'>> {
    const total = { relays: 0, pending: 0, buried: 0 }
    const buriedByDevice: BuriedMessages[] = []
    const retrying: RetryingRelay[] = []
    for (let after = ''; ; ) {
      const page = await devices.list(accountId, { limit: pageDevices, after })
      const relayed = page.filter(({ relay }) => relay !== null)
      total.relays += relayed.length
      for (const { deviceId, waiting, buried, retried } of await Promise.all(relayed.map(count))) {
        total.pending += waiting
        total.buried += buried
        if (buried > 0 && buriedByDevice.length < maxListed) buriedByDevice.push({ deviceId, buried })
        if (retried && retrying.length < maxListed) retrying.push(retried)
      }
      after = page.at(-1)?.id ?? after
      if (page.length < pageDevices) return { ...total, buriedByDevice, retrying }
    }
  }

  async function count(device: DeviceRecord) {
    const { id, relay } = device
    const depth = await deliveries.depth(device)
    const isSending = relay?.state === 'Active' && depth.waiting > 0
    const retried = isSending ? await deliveries.findRetried(device) : undefined
    return { ...depth, deviceId: id, retried: retried && toRetrying(id, depth.waiting, retried) }
  }

  return {
    async listDeliveries(request) {
      const { accountId } = getUser(request)
      const device = await devices.getOwned(request.path.deviceId, accountId)
      const { state, limit = 50, after } = request.query
      const asked = state === undefined ? states : [state]
      const [{ pending, buried, dropped }, minutes, ...lists] = await budget.during(getReader(request), () =>
        Promise.all([
          deliveries.count(device),
          deliveryMetrics.list({ device: device.id }, device.createdAtMs),
          ...asked.map((one) => list(device, one, limit, state === undefined ? undefined : after)),
        ]),
      )
      const body: DeliveryList = {
        data: lists.flat().map(toDelivery),
        pending,
        buried,
        dropped: dropped?.deliveries ?? 0,
        firstDroppedAt: dropped ? toTime(dropped.firstAtMs) : null,
        lastDroppedAt: dropped ? toTime(dropped.lastAtMs) : null,
        deliveryMetrics: minutes.map(toMetric),
      }
      return { status: 200, body }
    },
    async getDelivery(request) {
      const { accountId } = getUser(request)
      const device = await devices.getOwned(request.path.deviceId, accountId)
      const delivery = await budget.during(getReader(request), () => deliveries.get(device, request.path.deliveryId))
      return { status: 200, body: toWholeDelivery(delivery) }
    },
    async getDeliverySummary(request) {
      const { accountId } = getUser(request)
      const [counts, minutes] = await budget.during(getReader(request), () =>
        Promise.all([countAll(accountId), deliveryMetrics.list({ account: accountId })]),
      )
      return { status: 200, body: { ...counts, deliveryMetrics: minutes.map(toMetric) } }
    },
    async resendDelivery(request) {
      const { accountId } = getUser(request)
      const device = await devices.getOwned(request.path.deviceId, accountId)
      limits.countResends(accountId, 1)
      await deliveries.resend(device, request.path.deliveryId)
      return { status: 202 }
    },
    async resendBuriedDeliveries(request) {
      const { accountId } = getUser(request)
      const device = await devices.getOwned(request.path.deviceId, accountId)
      const endsAtMs = clock.now() + longestResendMs
      const most = await deliveries.roomFor(device)
      const allowed = most === 0 ? 0 : limits.countResends(accountId, most)
      let resent = 0
      while (resent < allowed && clock.now() < endsAtMs) {
        const left = allowed - resent
        const portion = await budget.during(getReader(request), () => deliveries.resendBuried(device, left))
        if (portion === 0) break
        resent += portion
      }
      const { buried } = await deliveries.depth(device)
      return { status: 200, body: { resent, buried } }
    },
    async sendTestMessage(request) {
      const { accountId } = getUser(request)
      const device = await devices.getOwned(request.path.deviceId, accountId)
      limits.countUpdate(accountId)
      const send = () => deliveries.sendTest(device)
      const sent = await (device.relay ? limits.whileSending(accountId, new URL(device.relay.url).host, send) : send())
      return { status: 200, body: toWholeDelivery(sent) }
    },
    async retryRelay(request) {
      const { accountId } = getUser(request)
      const device = await devices.getOwned(request.path.deviceId, accountId)
      limits.countUpdate(accountId)
      await deliveries.retry(device)
      return { status: 202 }
    },
  } satisfies Partial<Handlers>
}

function toRetrying(deviceId: string, pending: number, { first, failingSinceMs }: Retried): RetryingRelay {
  const { attemptCount, reason, nextAttemptAt } = toDelivery(first)
  return { deviceId, failingSince: toTime(failingSinceMs), pending, attemptCount, reason, nextAttemptAt }
}

function toWholeDelivery(view: DeliveryView): Delivery {
  return { ...toDelivery(view), message: view.message, ...(view.isTruncated && { messageTruncated: true }) }
}

function toDelivery(view: DeliveryView): Delivery {
  const { id, messageId, state, appendedAtMs, positions, attemptCount, attempts, nextAttemptAtMs, reason } = view
  return {
    id,
    messageId,
    state,
    owedSince: toTime(appendedAtMs),
    positions,
    attemptCount,
    attempts: attempts.map(toAttempt),
    nextAttemptAt: nextAttemptAtMs === null ? null : toTime(nextAttemptAtMs),
    reason,
  }
}

function toAttempt({
  startedAtMs,
  durationMs,
  url,
  status,
  outcome,
  reason,
}: DeliveryAttempt): Delivery['attempts'][number] {
  return { startedAt: toTime(startedAtMs), durationMilliseconds: durationMs, url, status, outcome, reason }
}

function toMetric(minute: DeliveryMinute): DeliveryMetric {
  const { startMs, delivered, failed, answerMs, longestAnswerMs, lagMs } = minute
  const hasDelivered = delivered > 0
  return {
    windowStart: toTime(startMs),
    delivered,
    failedAttempts: failed,
    averageAnswerMilliseconds: hasDelivered ? Math.round(answerMs / delivered) : null,
    longestAnswerMilliseconds: hasDelivered ? Math.round(longestAnswerMs) : null,
    averageLagMilliseconds: hasDelivered ? Math.round(lagMs / delivered) : null,
  }
}

function toTime(atMs: number): string {
  return new Date(atMs).toISOString()
}
