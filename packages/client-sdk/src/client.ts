/**
 * Calls the operations of a user.
 * In: who is signed in, and where. Out: the document's types, or an ApiError.
 * See the specification, § Surveillance out; pairing requests are the toolkit's.
 */
import type {
  Device,
  DeviceList,
  PairingRequest,
  paths,
  RecentPositionReportList,
  RelayState,
  RelayUpdate,
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
  }
}

function toGetToken(session: Session): GetToken {
  return (staleToken) => (staleToken === undefined ? session.getAccessToken() : session.refresh(staleToken))
}

/** openapi-fetch takes a signal or none, not an undefined one. */
function toInit(signal: AbortSignal | undefined): { signal?: AbortSignal } {
  return signal ? { signal } : {}
}
