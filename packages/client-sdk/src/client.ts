/**
 * Calls the operations of a user.
 * In: who is signed in, and where. Out: the document's types, or an ApiError.
 * See the specification, § Surveillance out; pairing requests, deliveries and requests for sensors are the toolkit's.
 */
import type {
  Delivery,
  DeliveryList,
  Device,
  DeviceList,
  NewSensor,
  PairingRequest,
  paths,
  RecentPositionReportList,
  RelayState,
  RelayUpdate,
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
      /** What createSession gives. */
      session: Session
      getToken?: never
    }
  | {
      /** Gives the access token; called again with the stale one after a 401, and may then give another. */
      getToken: GetToken
      session?: never
    }
) & {
  /** The surveillance user interface, `{surveillance_ui_url}`. Nothing else is sent the token. */
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
  /** `Active` has the address validated first. */
  state: RelayState
}

export interface Client {
  /** In order of their IDs; at most `limit`, 1 to 1000, of those after the ID `after`. Default all. */
  listDevices(options?: CallOptions & { limit?: number; after?: string }): Promise<DeviceList>
  getDevice(deviceUrn: string, options?: CallOptions): Promise<Device>
  /** Of the current metric window, newest first; at most `limit`, 1 to 10,000. Default all. */
  listRecentReports(deviceUrn: string, options?: CallOptions & { limit?: number }): Promise<RecentPositionReportList>
  /** Flips the flag and gives its new value. */
  toggleStoringPositionReports(deviceUrn: string, options?: CallOptions): Promise<boolean>
  /** The device tells whether the relay became Active or Failed, and why; neither throws. */
  setRelay(deviceUrn: string, relay: RelaySetting, options?: CallOptions): Promise<Device>
  /** Does what the portal's Pair button does: for 60 s the device may fetch its token. */
  createPairingRequest(deviceUrn: string, options?: CallOptions): Promise<PairingRequest>
  getPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<PairingRequest>
  cancelPairingRequest(pairingRequestId: string, options?: CallOptions): Promise<void>
  renameDevice(deviceUrn: string, deviceName: string, options?: CallOptions): Promise<Device>
  /** Every token of the device ends within a second, also one that somebody else has won. */
  revokeDeviceTokens(deviceUrn: string, options?: CallOptions): Promise<void>
  /** Without `state` all of them: pending, buried, delivered; at most `limit` of each, 1 to 200. Default 50. */
  listDeliveries(
    deviceUrn: string,
    options?: CallOptions & { state?: Delivery['state']; limit?: number; after?: string },
  ): Promise<DeliveryList>
  /** One delivery, with its message. */
  getDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<Delivery>
  /** Owes a message that was buried or delivered to the relay once more. */
  resendDelivery(deviceUrn: string, deliveryId: string, options?: CallOptions): Promise<void>
  /** The delivery tells what the relay answered; a refusal does not throw. */
  sendTestMessage(deviceUrn: string, options?: CallOptions): Promise<Delivery>
  /** Newest first. */
  listSensorRequests(options?: CallOptions): Promise<SensorRequestList>
  /** Asks for the registration of 1 to 1000 sensors, all or none; `problem.errors` of the ApiError names the bad ones. */
  createSensorRequests(sensors: NewSensor[], options?: CallOptions): Promise<SensorRequestList>
  /** openapi-fetch on the same session, for everything else in the document; its answers are not turned into errors. */
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

/** openapi-fetch takes a signal or none, not an undefined one. */
function toInit(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}
