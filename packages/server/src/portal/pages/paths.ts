/** Where the portal's pages live; they are not part of the document. */
import type { Delivery } from '@posrep/spec'

export const homePath = '/'
export const callbackPath = '/portal/callback'
export const signOutPath = '/portal/sign-out'
export const signedOutPath = '/portal/signed-out'
export const devicesPath = '/devices'
export const sensorsPath = '/sensors'
export const pairingStartPath = '/pairing/start'
export const pairingPath = '/pairing'

/** A page of a device, or where one of its forms goes. */
export function devicePath(
  deviceId: string,
  part?: 'storage' | 'relay' | 'name' | 'revoke' | 'test-message' | 'live',
): string {
  return `${devicesPath}/${encodeURIComponent(deviceId)}${part === undefined ? '' : `/${part}`}`
}

/** Of a device's deliveries, those in one state. */
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

/** The page of a pairing request, or where one of its forms goes. */
export function pairingRequestPath(requestId: string, part?: 'cancel' | 'revoke' | 'live'): string {
  return `${pairingPath}/${encodeURIComponent(requestId)}${part === undefined ? '' : `/${part}`}`
}
