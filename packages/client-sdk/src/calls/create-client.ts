/**
 * Calls the API's operations for a user.
 * In: a session and the service's origins. Out: values with the document's types, or a PosrepError.
 * See the specification, § Surveillance out; pairing requests, deliveries and sensor requests are additions of this
 * toolkit.
 */
import type { paths } from '@posrep/spec'
import createRawClient from 'openapi-fetch'
import { type OriginOptions, toOrigins } from '../origins.ts'
import { type Clock, type Fetch, systemClock, systemFetch } from '../ports.ts'
import type { Session } from '../session/session.ts'
import { createAuthorizedFetch, type GetToken } from './authorized-fetch.ts'
import { createCall } from './call.ts'
import type { Client } from './client.ts'
import { isUserOperation } from './places.ts'
import { toRelayStateNumber } from './relay-state.ts'
import { serviceRequest } from './service-request.ts'

export type ClientOptions = OriginOptions &
  (
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
    /** Default of every call's `timeoutMs`, in ms: 1 to 2,147,483,647. Default 30,000. */
    timeoutMs?: number
    /** Default: the global fetch. */
    fetch?: Fetch
    /** Default: the system clock. */
    clock?: Clock
  }

/** The calls alone, for a program that has its own session or tokens. @throws TypeError for wrong or unknown options */
export function createClient({
  session,
  getToken,
  timeoutMs = 30_000,
  fetch = systemFetch,
  clock = systemClock,
  ...originOptions
}: ClientOptions): Client {
  const origins = toOrigins(originOptions, 'createClient')
  const authorize = (getToken: GetToken, needsToken: (path: string) => boolean) =>
    createAuthorizedFetch({ origins, getToken, needsToken, fetch })
  const authorizedFetch = authorize(getToken ?? toGetToken(session), isUserOperation)
  const raw = createRawClient<paths>({
    baseUrl: origins.ui,
    fetch: (request) => authorizedFetch(request),
    Request: serviceRequest(origins),
  })
  const call = createCall({ raw, fetch: authorizedFetch, clock, timeoutMs })

  return {
    raw,
    getMe: (options) => call('getMe', 'GET', '/v1/me', {}, options),
    listDevices: ({ limit, after, ...options } = {}) =>
      call('listDevices', 'GET', '/v1/devices', { query: { limit, after } }, options),
    getDevice: (deviceUrn, options) =>
      call('getDevice', 'GET', '/v1/devices/{deviceUrn}', { path: { deviceUrn } }, options),
    changeDevice: (deviceUrn, body, options) =>
      call('changeDevice', 'PATCH', '/v1/devices/{deviceUrn}', { path: { deviceUrn }, body }, options),
    removeDevice: (deviceUrn, { signal, timeoutMs, ...query } = {}) =>
      call('removeDevice', 'DELETE', '/v1/devices/{deviceUrn}', { path: { deviceUrn }, query }, { signal, timeoutMs }),
    getDeviceHistory: (deviceUrn, options) =>
      call('getDeviceHistory', 'GET', '/v1/devices/{deviceUrn}/history', { path: { deviceUrn } }, options),
    listRecentReports: (deviceId, { limit, after, ...options } = {}) =>
      call(
        'listRecentReports',
        'GET',
        '/v1/devices/{deviceId}/recent',
        { path: { deviceId }, query: { limit, after } },
        options,
      ),
    toggleStoringPositionReports: (deviceUrn, options) =>
      call(
        'toggleStoringPositionReports',
        'POST',
        '/v1/devices/{deviceUrn}/toggle-storing-position-reports',
        { path: { deviceUrn } },
        options,
      ),
    updateRelay: (deviceId, { url, state }, options) =>
      call(
        'updateRelay',
        'POST',
        '/v1/devices/{deviceId}/relay',
        { path: { deviceId }, body: { url, state: toRelayStateNumber(state) } },
        options,
      ),
    changeRelayAddress: (deviceId, url, options) =>
      call(
        'changeRelayAddress',
        'POST',
        '/v1/devices/{deviceId}/relay/change-address',
        { path: { deviceId }, body: { url } },
        options,
      ),
    sendTestMessage: (deviceId, options) =>
      call('sendTestMessage', 'POST', '/v1/devices/{deviceId}/relay/test-message', { path: { deviceId } }, options),
    retryRelay: (deviceId, options) =>
      call('retryRelay', 'POST', '/v1/devices/{deviceId}/relay/retry', { path: { deviceId } }, options),
    listDeliveries: (deviceId, { state, limit, after, ...options } = {}) =>
      call(
        'listDeliveries',
        'GET',
        '/v1/devices/{deviceId}/deliveries',
        { path: { deviceId }, query: { state, limit, after } },
        options,
      ),
    getDeliverySummary: (options) => call('getDeliverySummary', 'GET', '/v1/deliveries', {}, options),
    getDelivery: (deviceId, deliveryId, options) =>
      call(
        'getDelivery',
        'GET',
        '/v1/devices/{deviceId}/deliveries/{deliveryId}',
        { path: { deviceId, deliveryId } },
        options,
      ),
    resendDelivery: (deviceId, deliveryId, options) =>
      call(
        'resendDelivery',
        'POST',
        '/v1/devices/{deviceId}/deliveries/{deliveryId}/resend',
        { path: { deviceId, deliveryId } },
        options,
      ),
    resendBuriedDeliveries: (deviceId, options) =>
      call('resendBuriedDeliveries', 'POST', '/v1/devices/{deviceId}/resend-buried', { path: { deviceId } }, options),
    revokeDeviceTokens: (deviceUrn, options) =>
      call('revokeDeviceTokens', 'POST', '/v1/devices/{deviceUrn}/revoke-tokens', { path: { deviceUrn } }, options),
    createPairingRequest: (deviceId, options) =>
      call('createPairingRequest', 'POST', '/v1/pairing-requests', { body: { deviceId } }, options),
    getPairingRequest: (pairingRequestId, options) =>
      call(
        'getPairingRequest',
        'GET',
        '/v1/pairing-requests/{pairingRequestId}',
        { path: { pairingRequestId } },
        options,
      ),
    cancelPairingRequest: (pairingRequestId, options) =>
      call(
        'cancelPairingRequest',
        'DELETE',
        '/v1/pairing-requests/{pairingRequestId}',
        { path: { pairingRequestId } },
        options,
      ),
    listSensorRequests: (options) => call('listSensorRequests', 'GET', '/v1/sensor-requests', {}, options),
    createSensorRequests: (sensors, options) =>
      call('createSensorRequests', 'POST', '/v1/sensor-requests', { body: { sensors } }, options),
    submitPositionReport: (report, { deviceToken, ...options }) =>
      call(
        'submitPositionReport',
        'POST',
        '/v1/position-reports',
        { body: report },
        {
          ...options,
          fetch: authorize(typeof deviceToken === 'string' ? () => deviceToken : deviceToken, () => true),
        },
      ),
  }
}

function toGetToken(session: Session): GetToken {
  return (staleToken) => (staleToken === undefined ? session.getAccessToken() : session.refresh(staleToken))
}
