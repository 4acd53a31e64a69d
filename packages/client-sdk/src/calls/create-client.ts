/**
 * Calls the API's operations for a user.
 * In: a session and the service's origins. Out: values with the document's types, or a PosrepError.
 * See the specification, § Surveillance out; pairing requests, deliveries and sensor requests are additions of this toolkit.
 */
import type { OperationId, paths } from '@posrep/spec'
import createRawClient from 'openapi-fetch'
import { toRelayStateNumber } from '../device/relay-state.ts'
import { type OriginOptions, toOrigins } from '../origins.ts'
import { type Clock, type Fetch, systemClock, systemFetch } from '../ports.ts'
import type { Session } from '../session/session.ts'
import { type Answer, checkDone, getValue } from './api-error.ts'
import { createAuthorizedFetch, type GetToken } from './authorized-fetch.ts'
import { createCaller } from './call.ts'
import type { CallOptions, Client } from './client.ts'
import { isUserOperation } from './places.ts'
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

export function createClient({
  session,
  getToken,
  timeoutMs = 30_000,
  fetch = systemFetch,
  clock = systemClock,
  ...originOptions
}: ClientOptions): Client {
  const origins = toOrigins(originOptions)
  const authorize = (getToken: GetToken, needsToken: (path: string) => boolean) =>
    createAuthorizedFetch({ origins, getToken, needsToken, fetch })
  const call = createCaller({ clock, timeoutMs })
  const raw = createRawClient<paths>({
    baseUrl: origins.ui,
    fetch: authorize(getToken ?? toGetToken(session), isUserOperation),
    Request: serviceRequest(origins),
  })

  type Send<T> = (signal: AbortSignal) => Promise<Answer<T>>
  const value = async <T>(operation: OperationId, options: CallOptions, send: Send<T>): Promise<T> =>
    getValue(operation, await call(operation, options, send), clock.now())
  const done = async (operation: OperationId, options: CallOptions, send: Send<unknown>): Promise<void> =>
    checkDone(operation, await call(operation, options, send), clock.now())

  return {
    raw,
    listDevices: ({ signal, timeoutMs, ...query } = {}) =>
      value('listDevices', { signal, timeoutMs }, (signal) => raw.GET('/v1/devices', { params: { query }, signal })),
    getDevice: (deviceUrn, options = {}) =>
      value('getDevice', options, (signal) =>
        raw.GET('/v1/devices/{deviceUrn}', { params: { path: { deviceUrn } }, signal }),
      ),
    renameDevice: (deviceUrn, deviceName, options = {}) =>
      value('renameDevice', options, (signal) =>
        raw.PATCH('/v1/devices/{deviceUrn}', { params: { path: { deviceUrn } }, body: { deviceName }, signal }),
      ),
    listRecentReports: (deviceId, { limit, after, ...options } = {}) =>
      value('listRecentReports', options, (signal) =>
        raw.GET('/v1/devices/{deviceId}/recent', { params: { path: { deviceId }, query: { limit, after } }, signal }),
      ),
    toggleStoringPositionReports: (deviceUrn, options = {}) =>
      value('toggleStoringPositionReports', options, (signal) =>
        raw.POST('/v1/devices/{deviceUrn}/toggle-storing-position-reports', {
          params: { path: { deviceUrn } },
          signal,
        }),
      ),
    updateRelay: (deviceId, { url, state }, options = {}) =>
      value('updateRelay', options, (signal) =>
        raw.POST('/v1/devices/{deviceId}/relay', {
          params: { path: { deviceId } },
          body: { url, state: toRelayStateNumber(state) },
          signal,
        }),
      ),
    sendTestMessage: (deviceId, options = {}) =>
      value('sendTestMessage', options, (signal) =>
        raw.POST('/v1/devices/{deviceId}/relay/test-message', { params: { path: { deviceId } }, signal }),
      ),
    listDeliveries: (deviceId, { state, limit, after, ...options } = {}) =>
      value('listDeliveries', options, (signal) =>
        raw.GET('/v1/devices/{deviceId}/deliveries', {
          params: { path: { deviceId }, query: { state, limit, after } },
          signal,
        }),
      ),
    getDelivery: (deviceId, deliveryId, options = {}) =>
      value('getDelivery', options, (signal) =>
        raw.GET('/v1/devices/{deviceId}/deliveries/{deliveryId}', {
          params: { path: { deviceId, deliveryId } },
          signal,
        }),
      ),
    resendDelivery: (deviceId, deliveryId, options = {}) =>
      done('resendDelivery', options, (signal) =>
        raw.POST('/v1/devices/{deviceId}/deliveries/{deliveryId}/resend', {
          params: { path: { deviceId, deliveryId } },
          signal,
        }),
      ),
    revokeDeviceTokens: (deviceUrn, options = {}) =>
      done('revokeDeviceTokens', options, (signal) =>
        raw.POST('/v1/devices/{deviceUrn}/revoke-tokens', { params: { path: { deviceUrn } }, signal }),
      ),
    createPairingRequest: (deviceId, options = {}) =>
      value('createPairingRequest', options, (signal) =>
        raw.POST('/v1/pairing-requests', { body: { deviceId }, signal }),
      ),
    getPairingRequest: (pairingRequestId, options = {}) =>
      value('getPairingRequest', options, (signal) =>
        raw.GET('/v1/pairing-requests/{pairingRequestId}', { params: { path: { pairingRequestId } }, signal }),
      ),
    cancelPairingRequest: (pairingRequestId, options = {}) =>
      done('cancelPairingRequest', options, (signal) =>
        raw.DELETE('/v1/pairing-requests/{pairingRequestId}', { params: { path: { pairingRequestId } }, signal }),
      ),
    listSensorRequests: (options = {}) =>
      value('listSensorRequests', options, (signal) => raw.GET('/v1/sensor-requests', { signal })),
    createSensorRequests: (sensors, options = {}) =>
      value('createSensorRequests', options, (signal) =>
        raw.POST('/v1/sensor-requests', { body: { sensors }, signal }),
      ),
    submitPositionReport: (report, { deviceToken, ...options }) =>
      done('submitPositionReport', options, (signal) =>
        raw.POST('/v1/position-reports', {
          body: report,
          fetch: authorize(typeof deviceToken === 'string' ? () => deviceToken : deviceToken, () => true),
          signal,
        }),
      ),
  }
}

function toGetToken(session: Session): GetToken {
  return (staleToken) => (staleToken === undefined ? session.getAccessToken() : session.refresh(staleToken))
}
