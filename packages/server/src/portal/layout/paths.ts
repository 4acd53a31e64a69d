/** The paths of the portal's pages. They are not part of the OpenAPI document. */
import type { Delivery } from '@posrep/spec'
import { sitePaths } from '../../pages/frame/site-nav.tsx'

export const homePath = sitePaths.overview
export const overviewLivePath = '/overview/live'
export const airPath = sitePaths.air
export const airStreamPath = '/air/stream'
export const airHistoryPath = '/air/history'
export const airSensorsPath = '/air/sensors'
export const airTracksPath = '/air/tracks'
export const airBasemapPath = '/air/basemap.geojson'
export const callbackPath = '/portal/callback'
export const signOutPath = '/portal/sign-out'
export const signedOutPath = '/portal/signed-out'
export const signInFailedPath = '/portal/sign-in-failed'
export const devicesPath = sitePaths.devices
export const devicesCsvPath = '/devices.csv'
export const sensorsPath = sitePaths.sensors
export const pairingStartPath = sitePaths.pairing
export const pairingPath = '/pairing'

type DevicePart =
  | 'storage'
  | 'relay'
  | 'relay-state'
  | 'details'
  | 'revoke'
  | 'remove'
  | 'test-message'
  | 'retry'
  | 'deliveries'
  | 'live'

/** A page of a device, or the target of one of its forms. */
export function devicePath(deviceId: string, part?: DevicePart): string {
  return `${devicesPath}/${encodeURIComponent(deviceId)}${part === undefined ? '' : `/${part}`}`
}

/** The list of a device's deliveries in one state. */
export function deliveriesPath(
  deviceId: string,
  state: Delivery['state'],
  { after, delivery }: { after?: string | undefined; delivery?: string } = {},
): string {
  const query = new URLSearchParams({
    state,
    ...(after !== undefined && { after }),
    ...(delivery !== undefined && { delivery }),
  })
  return `${devicePath(deviceId, 'deliveries')}?${query}`
}

export function resendPath(deviceId: string, deliveryId: string): string {
  return `${devicePath(deviceId, 'deliveries')}/${encodeURIComponent(deliveryId)}/resend`
}

export function resendBuriedPath(deviceId: string): string {
  return `${devicePath(deviceId, 'deliveries')}/resend-buried`
}

/** The page of a pairing request, or the target of one of its forms. */
export function pairingRequestPath(requestId: string, part?: 'cancel' | 'revoke' | 'live'): string {
  return `${pairingPath}/${encodeURIComponent(requestId)}${part === undefined ? '' : `/${part}`}`
}

/** The event stream of a page, with the page's query. */
export function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}
