/**
 * The typed calls: one for each operation of the document that needs a user's or a device's access token, with its
 * name. The operations of the air picture have an entry of their own, `air.ts`.
 * A compile error at the end of this file means that the document has another operation: add its call here and in
 * create-client.ts, or in air-calls.ts and create-air.ts.
 */
import type {
  Delivery,
  DeliveryList,
  DeliverySummary,
  Device,
  DeviceChange,
  DeviceHistory,
  DeviceList,
  NewSensor,
  Operations,
  PairingRequest,
  PositionReport,
  paths,
  RecentPositionReportList,
  RelayState,
  ResentDeliveries,
  SensorRequestList,
  SignedInUser,
} from '@posrep/spec'
import type { TokenOperationId } from '@posrep/spec/operations'
import type { Client as RawClient } from 'openapi-fetch'
import type { AirCalls } from '../air/air-calls.ts'
import type { GetToken } from './authorized-fetch.ts'
import type { CallOptions } from './call-options.ts'

/** The query parameters of an operation, as the document describes them. */
type Query<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['query']>

export interface ListDevicesOptions extends CallOptions, Query<'listDevices'> {}

export interface ListRecentReportsOptions extends CallOptions, Query<'listRecentReports'> {}

export interface ListDeliveriesOptions extends CallOptions, Query<'listDeliveries'> {}

export interface RemoveDeviceOptions extends CallOptions, Query<'removeDevice'> {}

export interface SubmitPositionReportOptions extends CallOptions {
  /** Access token of the device, or a function that returns it. The service refuses a user's token with 403. */
  deviceToken: string | GetToken
}

export interface RelaySetting {
  /** HTTPS. */
  url: string
  /** With `Active` the service validates the address first. */
  state: RelayState
}

/**
 * Every call resolves with the document's type and rejects with a PosrepError. Calls that only read or delete are
 * repeated after 429 and 503, at most twice, when `Retry-After` ends before `timeoutMs`; all others are sent once, or
 * twice after a 401.
 */
export interface Calls {
  /** Who is signed in: the user's name, and the account. */
  getMe(options?: CallOptions): Promise<SignedInUser>
  /** The devices of the account, sorted by ID. To read a long list in pages, see `eachDevice`. */
  listDevices(options?: ListDevicesOptions): Promise<DeviceList>
  /** One device of the account. */
  getDevice(deviceUrn: string, options?: CallOptions): Promise<Device>
  /** Changes the name, the tags, or both. */
  changeDevice(deviceUrn: string, change: DeviceChange, options?: CallOptions): Promise<Device>
  /** Revokes the tokens of the device and removes it from the account. */
  removeDevice(deviceUrn: string, options?: RemoveDeviceOptions): Promise<void>
  /** When the device was paired, got tokens, and had a report refused. */
  getDeviceHistory(deviceUrn: string, options?: CallOptions): Promise<DeviceHistory>
  /** The reports of the current metric window (an hour), newest first. To receive new ones, see `watchRecent`. */
  listRecentReports(deviceUrn: string, options?: ListRecentReportsOptions): Promise<RecentPositionReportList>
  /**
   * Inverts the flag and resolves with its new value. It is never repeated after a network error: read the device then.
   */
  toggleStoringPositionReports(deviceUrn: string, options?: CallOptions): Promise<boolean>
  /**
   * Sets the address and the state of the relay. Resolves with the device: its `relayDetails` have the new state,
   * Active or Failed, and the reason. A failed validation does not reject.
   */
  updateRelay(deviceUrn: string, relay: RelaySetting, options?: CallOptions): Promise<Device>
  /**
   * Validates the new address first. If it passes, it becomes the relay, Active; otherwise this rejects with ApiError
   * `relay_not_validated`, and the relay stays as it is.
   */
  changeRelayAddress(deviceUrn: string, url: string, options?: CallOptions): Promise<Device>
  /**
   * Resolves with the delivery, which has the relay's answer. A refusal by the relay does not reject; without an Active
   * relay it rejects with ApiError `relay_not_active`.
   */
  sendTestMessage(deviceUrn: string, options?: CallOptions): Promise<Delivery>
  /**
   * Ends the wait before the next attempt of a relay that is being retried. Without an Active relay it rejects as
   * above.
   */
  retryRelay(deviceUrn: string, options?: CallOptions): Promise<void>
  /** The deliveries of the device's relay, with their numbers. To read all that wait, see `eachDelivery`. */
  listDeliveries(deviceUrn: string, options?: ListDeliveriesOptions): Promise<DeliveryList>
  /** The deliveries of all devices of the account, in numbers. */
  getDeliverySummary(options?: CallOptions): Promise<DeliverySummary>
  /** One delivery with its message. */
  getDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<Delivery>
  /** Queues a buried or delivered message again. Rejects with ApiError `delivery_not_resendable` for a pending one. */
  resendDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<void>
  /** Queues the oldest buried messages again, at most 200. Resolves with their number, and how many are left. */
  resendBuriedDeliveries(deviceUrn: string, options?: CallOptions): Promise<ResentDeliveries>
  /** Ends every token of the device within a second. */
  revokeDeviceTokens(deviceUrn: string, options?: CallOptions): Promise<void>
  /**
   * Like the Pair button of the portal: for 60 s the device can fetch its tokens. Rejects with ApiError
   * `pairing_pending_elsewhere` while another account pairs the same local ID, `pairing_not_allowed` when an operator
   * must allow it first.
   */
  createPairingRequest(deviceUrn: string, options?: CallOptions): Promise<PairingRequest>
  /** Whether the pairing request is pending, consumed or expired. */
  getPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<PairingRequest>
  /** Ends a pending pairing request: the device can no longer fetch tokens with it. */
  cancelPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<void>
  /** The account's sensor requests, newest first. */
  listSensorRequests(options?: CallOptions): Promise<SensorRequestList>
  /**
   * Requests the registration of 1 to 1000 sensors, all or none. If it rejects, `problem.errors` names the invalid
   * ones.
   */
  createSensorRequests(sensors: NewSensor[], options?: CallOptions): Promise<SensorRequestList>
  /** Submits a report of 1 to 1000 positions as a device. Resolves when the service has stored it. */
  submitPositionReport(report: PositionReport, options: SubmitPositionReportOptions): Promise<void>
}

export interface Client extends Calls {
  /**
   * An openapi-fetch client with the same session, for all operations of the document. Each goes to the origin that
   * serves it; a user's operation carries the access token. It returns errors of the API instead of throwing an
   * ApiError.
   */
  raw: RawClient<paths>
}

/** What does not agree with the document: an operation without a call, or a call without an operation. */
type Disagreement = Exclude<TokenOperationId, Named> | Exclude<Named, TokenOperationId>
/** The names of all calls; `followAir` is a function of the entry `air`. */
type Named = keyof Calls | keyof AirCalls | 'followAir'
/** Does not compile, and names the operation, while there is a disagreement. */
type Agreed<None extends never> = None
export type CallsAgreeWithDocument = Agreed<Disagreement>
