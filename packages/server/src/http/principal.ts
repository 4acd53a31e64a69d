/** Which kind of principal an operation is for; the router has authenticated it against the document already. */
import { ApiError } from '../errors.ts'
import type { Principal } from '../ports/principal.ts'

export type UserPrincipal = Extract<Principal, { kind: 'user' }>
export type DevicePrincipal = Extract<Principal, { kind: 'device' }>

export function getUser({ principal }: { principal?: Principal }): UserPrincipal {
  if (principal?.kind === 'user') return principal
  throw new ApiError('invalid_token', 'This operation takes a user token')
}

export function getDeviceOf({ principal }: { principal?: Principal }): DevicePrincipal {
  if (principal?.kind === 'device') return principal
  throw new ApiError('invalid_token', 'This operation takes a device token')
}
