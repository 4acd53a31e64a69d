/**
 * Sends a test message to the relay of a device, for the API, the portal and the command line.
 * In: the device. Out: the delivery, with its one attempt; it is also recorded.
 */
import { randomUUID } from 'node:crypto'
import type { PositionReport } from '@posrep/spec'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DeviceRecord } from '../../ports/storage/directory.ts'
import type { RecentDelivery } from '../../ports/storage/recent-deliveries.ts'
import { toIdentityText } from '../../reports/identity-text.ts'
import { attemptDelivery } from '../sender/attempt-delivery.ts'
import type { SendRelayMessage } from '../sender/send-relay-message.ts'
import { deliveryOf } from './delivery.ts'

/** Sends at once, before pending messages, without retries. @throws ApiError `relay_not_active` */
export type SendTest = (device: Pick<DeviceRecord, 'id' | 'localId' | 'relay'>) => Promise<RecentDelivery>

export interface SendTestOptions {
  send: SendRelayMessage
  clock: Clock
  record(sent: RecentDelivery): Promise<void>
}

export function createSendTest({ send, clock, record }: SendTestOptions): SendTest {
  return async ({ id: deviceUrn, localId, relay }) => {
    if (relay?.state !== 'Active') throw notActive('A test message can be sent only to an Active relay', relay)
    const id = `test-${randomUUID()}`
    const report = testReport({ id, localId, atMs: clock.now() })
    const identityText = toIdentityText(report.positions)
    const delivery = deliveryOf(deviceUrn, JSON.stringify(report), { positions: 1, identityText })
    const appendedAtMs = clock.now()
    const { outcome, attempt } = await attemptDelivery({ send, clock }, relay.url, delivery)
    const sent: RecentDelivery = {
      deviceUrn,
      id: `dl_${id}`,
      messageId: delivery.id,
      state: outcome.kind === 'accepted' ? 'delivered' : 'buried',
      appendedAtMs,
      endedAtMs: clock.now(),
      positions: delivery.positions,
      attemptCount: 1,
      attempts: [attempt],
      reason: attempt.reason,
      message: delivery.message,
      isTruncated: false,
    }
    await record(sent)
    return sent
  }
}

export function notActive(rule: string, relay: DeviceRecord['relay']): ApiError {
  const current = relay ? `this relay is ${relay.state}` : 'this device has no relay'
  return new ApiError('relay_not_active', `${rule}, and ${current}`)
}

/** A report at latitude 0, longitude 0. Receivers recognise it by `additionalInfo`. */
function testReport({ id, localId, atMs }: { id: string; localId: string; atMs: number }): PositionReport {
  const sourceTimeStamp = new Date(atMs).toISOString()
  const position = { id, sourceTimeStamp, position: { lat: 0, lon: 0 }, additionalInfo: { test: true } }
  return { sensor: { id: localId }, positions: [position] }
}
