/**
 * The typed calls: one for each operation of the document that needs a user's or a device's access token, with its name.
 * A compile error at the end of this file means that the document has another operation: add its call here and in
 * create-client.ts.
 */
import type {
  Delivery,
  DeliveryList,
  Device,
  DeviceList,
  NewSensor,
  Operations,
  PairingRequest,
  PositionReport,
  paths,
  RecentPositionReportList,
  RelayState,
  SensorRequestList,
} from '@posrep/spec'
import type { TokenOperationId } from '@posrep/spec/operations'
import type { Client as RawClient } from 'openapi-fetch'
import type { GetToken } from './authorized-fetch.ts'

export interface CallOptions {
  /** Ends the call, which rejects with the signal's reason. A refresh that other calls wait for continues. */
  signal?: AbortSignal | undefined
  /**
   * Time for the whole call, with a refresh and repetitions, in ms: 1 to 2,147,483,647. Default: the client's `timeoutMs`.
   * After it the call rejects with ApiError `timeout`.
   */
  timeoutMs?: number | undefined
}

/** The query parameters of an operation, as the document describes them. */
type Query<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['query']>

export interface ListDevicesOptions extends CallOptions, Query<'listDevices'> {}

export interface ListRecentReportsOptions extends CallOptions, Query<'listRecentReports'> {}

export interface ListDeliveriesOptions extends CallOptions, Query<'listDeliveries'> {}

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
 * Every call resolves with the document's type and rejects with a PosrepError. Calls that only read or delete are repeated after
 * 429 and 503, at most twice, when `Retry-After` ends before `timeoutMs`; all others are sent once, or twice after a 401.
 */
export interface Calls {
  /** The devices of the account, sorted by ID. */
  listDevices(options?: ListDevicesOptions): Promise<DeviceList>
  getDevice(deviceUrn: string, options?: CallOptions): Promise<Device>
  renameDevice(deviceUrn: string, deviceName: string, options?: CallOptions): Promise<Device>
  /** The reports of the current metric window (an hour), newest first. To receive new ones, see `watchRecent`. */
  listRecentReports(deviceUrn: string, options?: ListRecentReportsOptions): Promise<RecentPositionReportList>
  /** Inverts the flag and resolves with its new value. It is never repeated after a network error: read the device then. */
  toggleStoringPositionReports(deviceUrn: string, options?: CallOptions): Promise<boolean>
  /**
   * Sets the address and the state of the relay. Resolves with the device: its `relayDetails` have the new state, Active or
   * Failed, and the reason. A failed validation does not reject.
   */
  updateRelay(deviceUrn: string, relay: RelaySetting, options?: CallOptions): Promise<Device>
  /** Resolves with the delivery, which has the relay's answer. A refusal by the relay does not reject. */
  sendTestMessage(deviceUrn: string, options?: CallOptions): Promise<Delivery>
  listDeliveries(deviceUrn: string, options?: ListDeliveriesOptions): Promise<DeliveryList>
  /** One delivery with its message. */
  getDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<Delivery>
  /** Queues a buried or delivered message again. */
  resendDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<void>
  /** Ends every token of the device within a second. */
  revokeDeviceTokens(deviceUrn: string, options?: CallOptions): Promise<void>
  /** Like the Pair button of the portal: for 60 s the device can fetch its tokens. */
  createPairingRequest(deviceUrn: string, options?: CallOptions): Promise<PairingRequest>
  getPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<PairingRequest>
  cancelPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<void>
  /** The account's sensor requests, newest first. */
  listSensorRequests(options?: CallOptions): Promise<SensorRequestList>
  /** Requests the registration of 1 to 1000 sensors, all or none. If it rejects, `problem.errors` names the invalid ones. */
  createSensorRequests(sensors: NewSensor[], options?: CallOptions): Promise<SensorRequestList>
  /** Submits a report of 1 to 1000 positions as a device. Resolves when the service has stored it. */
  submitPositionReport(report: PositionReport, options: SubmitPositionReportOptions): Promise<void>
}

export interface Client extends Calls {
  /**
   * An openapi-fetch client with the same session, for all operations of the document. Each goes to the origin that serves it;
   * a user's operation carries the access token. It returns errors of the API instead of throwing an ApiError.
   */
  raw: RawClient<paths>
}

/** What does not agree with the document: an operation without a call, or a call without an operation. */
type Disagreement = Exclude<TokenOperationId, keyof Calls> | Exclude<keyof Calls, TokenOperationId>
/** Does not compile, and names the operation, while there is a disagreement. */
type Agreed<None extends never> = None
export type CallsAgreeWithDocument = Agreed<Disagreement>
