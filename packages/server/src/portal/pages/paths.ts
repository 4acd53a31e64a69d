/** Where the portal's pages live; they are not part of the document. */

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

export function resendPath(deviceId: string, deliveryId: string): string {
  return `${devicePath(deviceId)}/deliveries/${encodeURIComponent(deliveryId)}/resend`
}

/** The page of a pairing request, or where one of its forms goes. */
export function pairingRequestPath(requestId: string, part?: 'cancel' | 'revoke' | 'live'): string {
  return `${pairingPath}/${encodeURIComponent(requestId)}${part === undefined ? '' : `/${part}`}`
}
