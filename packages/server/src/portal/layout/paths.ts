/** The paths of the portal's pages. They are not part of the OpenAPI document. */
import type { Delivery } from '@posrep/spec'

export const homePath = '/'
export const callbackPath = '/portal/callback'
export const signOutPath = '/portal/sign-out'
export const signedOutPath = '/portal/signed-out'
export const devicesPath = '/devices'
export const sensorsPath = '/sensors'
export const pairingStartPath = '/pairing/start'
export const pairingPath = '/pairing'

/** A page of a device, or the target of one of its forms. */
export function devicePath(
  deviceId: string,
  part?: 'storage' | 'relay' | 'name' | 'revoke' | 'test-message' | 'live',
): string {
  return `${devicesPath}/${encodeURIComponent(deviceId)}${part === undefined ? '' : `/${part}`}`
}

/** The list of a device's deliveries in one state. */
export function deliveriesPath(
  deviceId: string,
  state: Delivery['state'],
  { after, delivery, done }: { after?: string | undefined; delivery?: string; done?: 'resent' } = {},
): string {
  const query = new URLSearchParams({
    state,
    ...(after !== undefined && { after }),
    ...(delivery !== undefined && { delivery }),
    ...(done !== undefined && { done }),
  })
  return `${devicePath(deviceId)}/deliveries?${query}`
}

export function resendPath(deviceId: string, deliveryId: string): string {
  return `${devicePath(deviceId)}/deliveries/${encodeURIComponent(deliveryId)}/resend`
}

/** The page of a pairing request, or the target of one of its forms. */
export function pairingRequestPath(requestId: string, part?: 'cancel' | 'revoke' | 'live'): string {
  return `${pairingPath}/${encodeURIComponent(requestId)}${part === undefined ? '' : `/${part}`}`
}
