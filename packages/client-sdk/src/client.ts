/**
 * Calls the API's operations for a user.
 * In: a session and the API's origin. Out: values with the document's types, or an ApiError.
 * See the specification, § Surveillance out; pairing requests, deliveries and sensor requests are additions of this toolkit.
 */
import type {
  Delivery,
  DeliveryList,
  Device,
  DeviceHistory,
  DeviceList,
  NewSensor,
  PairingRequest,
  paths,
  RecentPositionReportList,
  RelayState,
  RelayUpdate,
  ResentDeliveries,
  SensorRequestList,
} from '@posrep/spec'
import createRawClient, { type Client as RawClient } from 'openapi-fetch'
import { checkDone, getValue } from './api-error.ts'
import { createAuthorizedFetch, type GetToken } from './authorized-fetch.ts'
import { toOrigin } from './origin.ts'
import { type Fetch, systemFetch } from './ports.ts'
import type { Session } from './session.ts'

export type ClientOptions = (
  | {
      /** From createSession(). */
      session: Session
      getToken?: never
    }
  | {
      /** Returns the access token. After a 401 it is called again with the stale token and may return a new one. */
      getToken: GetToken
      session?: never
    }
) & {
  /** Origin of the surveillance user interface, `{surveillance_ui_url}`. The token is sent only to it. */
  uiOrigin: string | URL
  /** Default: the global fetch. */
  fetch?: Fetch
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface RelaySetting {
  /** HTTPS. */
  url: string
  /** With `Active` the service validates the address first. */
  state: RelayState
}

export interface Client {
  /** The devices sorted by ID: at most `limit` (1 to 1000, default all), starting after the ID `after`. */
  listDevices(options?: CallOptions & { limit?: number; after?: string }): Promise<DeviceList>
  getDevice(deviceUrn: string, options?: CallOptions): Promise<Device>
  /**
   * The reports of the current metric window, newest first: at most `limit` (1 to 10,000, default all), starting after `after`,
   * the `next` of an earlier list.
   */
  listRecentReports(
    deviceUrn: string,
    options?: CallOptions & { limit?: number; after?: string },
  ): Promise<RecentPositionReportList>
  /** Inverts the flag and resolves with its new value. */
  toggleStoringPositionReports(deviceUrn: string, options?: CallOptions): Promise<boolean>
  /** Resolves with the device, whose `relayDetails` have the new state, Active or Failed, and the reason. A failed validation does not reject. */
  setRelay(deviceUrn: string, relay: RelaySetting, options?: CallOptions): Promise<Device>
  /**
   * Validates the new address first. If it passes, it becomes the relay, Active; otherwise this rejects with `relay_not_validated`
   * and the relay stays as it is.
   */
  changeRelayAddress(deviceUrn: string, url: string, options?: CallOptions): Promise<Device>
  /** Like the Pair button of the portal: for 60 s the device can fetch its tokens. */
  createPairingRequest(deviceUrn: string, options?: CallOptions): Promise<PairingRequest>
  getPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<PairingRequest>
  cancelPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<void>
  renameDevice(deviceUrn: string, deviceName: string, options?: CallOptions): Promise<Device>
  /** Revokes the tokens of the device and removes it from the account. */
  removeDevice(deviceUrn: string, options?: CallOptions): Promise<void>
  /** When the device was paired, got tokens, and had a report refused. */
  getDeviceHistory(deviceUrn: string, options?: CallOptions): Promise<DeviceHistory>
  /** Ends every token of the device within a second. */
  revokeDeviceTokens(deviceUrn: string, options?: CallOptions): Promise<void>
  /** The deliveries with this `state`, or with all states: at most `limit` of each state (1 to 200, default 50). */
  listDeliveries(
    deviceUrn: string,
    options?: CallOptions & { state?: Delivery['state']; limit?: number; after?: string },
  ): Promise<DeliveryList>
  /** One delivery with its message. */
  getDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<Delivery>
  /** Queues a buried or delivered message again. */
  resendDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<void>
  /** Queues the oldest buried messages again, at most 200. Resolves with their number, and how many are left. */
  resendBuriedDeliveries(deviceUrn: string, options?: CallOptions): Promise<ResentDeliveries>
  /** Resolves with the delivery, which has the relay's answer. A refusal by the relay does not reject. */
  sendTestMessage(deviceUrn: string, options?: CallOptions): Promise<Delivery>
  /** The account's sensor requests, newest first. */
  listSensorRequests(options?: CallOptions): Promise<SensorRequestList>
  /** Requests the registration of 1 to 1000 sensors, all or none. If it rejects, `problem.errors` of the ApiError names the invalid ones. */
  createSensorRequests(sensors: NewSensor[], options?: CallOptions): Promise<SensorRequestList>
  /** An openapi-fetch client with the same session, for all operations of the document. It returns errors instead of throwing an ApiError. */
  raw: RawClient<paths>
}

const relayStateNumbers = { Active: 1, Inactive: 2, Failed: 3 } as const satisfies Record<
  RelayState,
  RelayUpdate['state']
>

export function createClient({ uiOrigin, session, getToken, fetch = systemFetch }: ClientOptions): Client {
  const { origin } = toOrigin('uiOrigin', uiOrigin)
  const authorizedFetch = createAuthorizedFetch({ origin, getToken: getToken ?? toGetToken(session), fetch })
  const raw = createRawClient<paths>({ baseUrl: origin, fetch: authorizedFetch })

  return {
    raw,
    listDevices: ({ signal, ...query } = {}) =>
      getValue('listDevices', raw.GET('/v1/devices', { params: { query }, ...toInit(signal) })),
    getDevice: (deviceUrn, { signal } = {}) =>
      getValue('getDevice', raw.GET('/v1/devices/{deviceUrn}', { params: { path: { deviceUrn } }, ...toInit(signal) })),
    listRecentReports: (deviceId, { signal, ...query } = {}) =>
      getValue(
        'listRecentReports',
        raw.GET('/v1/devices/{deviceId}/recent', { params: { path: { deviceId }, query }, ...toInit(signal) }),
      ),
    toggleStoringPositionReports: (deviceUrn, { signal } = {}) =>
      getValue(
        'toggleStoringPositionReports',
        raw.POST('/v1/devices/{deviceUrn}/toggle-storing-position-reports', {
          params: { path: { deviceUrn } },
          ...toInit(signal),
        }),
      ),
    setRelay: (deviceId, { url, state }, { signal } = {}) =>
      getValue(
        'updateRelay',
        raw.POST('/v1/devices/{deviceId}/relay', {
          params: { path: { deviceId } },
          body: { url, state: relayStateNumbers[state] },
          ...toInit(signal),
        }),
      ),
    changeRelayAddress: (deviceId, url, { signal } = {}) =>
      getValue(
        'changeRelayAddress',
        raw.POST('/v1/devices/{deviceId}/relay/change-address', {
          params: { path: { deviceId } },
          body: { url },
          ...toInit(signal),
        }),
      ),
    createPairingRequest: (deviceId, { signal } = {}) =>
      getValue('createPairingRequest', raw.POST('/v1/pairing-requests', { body: { deviceId }, ...toInit(signal) })),
    getPairingRequest: (pairingRequestId, { signal } = {}) =>
      getValue(
        'getPairingRequest',
        raw.GET('/v1/pairing-requests/{pairingRequestId}', {
          params: { path: { pairingRequestId } },
          ...toInit(signal),
        }),
      ),
    cancelPairingRequest: (pairingRequestId, { signal } = {}) =>
      checkDone(
        'cancelPairingRequest',
        raw.DELETE('/v1/pairing-requests/{pairingRequestId}', {
          params: { path: { pairingRequestId } },
          ...toInit(signal),
        }),
      ),
    renameDevice: (deviceUrn, deviceName, { signal } = {}) =>
      getValue(
        'renameDevice',
        raw.PATCH('/v1/devices/{deviceUrn}', {
          params: { path: { deviceUrn } },
          body: { deviceName },
          ...toInit(signal),
        }),
      ),
    removeDevice: (deviceUrn, { signal } = {}) =>
      checkDone(
        'removeDevice',
        raw.DELETE('/v1/devices/{deviceUrn}', { params: { path: { deviceUrn } }, ...toInit(signal) }),
      ),
    getDeviceHistory: (deviceUrn, { signal } = {}) =>
      getValue(
        'getDeviceHistory',
        raw.GET('/v1/devices/{deviceUrn}/history', { params: { path: { deviceUrn } }, ...toInit(signal) }),
      ),
    revokeDeviceTokens: (deviceUrn, { signal } = {}) =>
      checkDone(
        'revokeDeviceTokens',
        raw.POST('/v1/devices/{deviceUrn}/revoke-tokens', { params: { path: { deviceUrn } }, ...toInit(signal) }),
      ),
    listDeliveries: (deviceId, { signal, ...query } = {}) =>
      getValue(
        'listDeliveries',
        raw.GET('/v1/devices/{deviceId}/deliveries', { params: { path: { deviceId }, query }, ...toInit(signal) }),
      ),
    getDelivery: (deviceId, deliveryId, { signal } = {}) =>
      getValue(
        'getDelivery',
        raw.GET('/v1/devices/{deviceId}/deliveries/{deliveryId}', {
          params: { path: { deviceId, deliveryId } },
          ...toInit(signal),
        }),
      ),
    resendDelivery: (deviceId, deliveryId, { signal } = {}) =>
      checkDone(
        'resendDelivery',
        raw.POST('/v1/devices/{deviceId}/deliveries/{deliveryId}/resend', {
          params: { path: { deviceId, deliveryId } },
          ...toInit(signal),
        }),
      ),
    resendBuriedDeliveries: (deviceId, { signal } = {}) =>
      getValue(
        'resendBuriedDeliveries',
        raw.POST('/v1/devices/{deviceId}/resend-buried', { params: { path: { deviceId } }, ...toInit(signal) }),
      ),
    sendTestMessage: (deviceId, { signal } = {}) =>
      getValue(
        'sendTestMessage',
        raw.POST('/v1/devices/{deviceId}/relay/test-message', { params: { path: { deviceId } }, ...toInit(signal) }),
      ),
    listSensorRequests: ({ signal } = {}) =>
      getValue('listSensorRequests', raw.GET('/v1/sensor-requests', toInit(signal))),
    createSensorRequests: (sensors, { signal } = {}) =>
      getValue('createSensorRequests', raw.POST('/v1/sensor-requests', { body: { sensors }, ...toInit(signal) })),
  }
}

function toGetToken(session: Session): GetToken {
  return (staleToken) => (staleToken === undefined ? session.getAccessToken() : session.refresh(staleToken))
}

/** openapi-fetch does not accept `signal: undefined`. */
function toInit(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}
