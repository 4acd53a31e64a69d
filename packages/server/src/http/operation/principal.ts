/** Narrows the principal of an authenticated request to the kind that the operation takes. */

import type { Reader } from '../../concurrency/reading-budget.ts'
import { ApiError } from '../../errors.ts'
import type { Principal } from '../../ports/principal.ts'
import type { Connection } from '../connection.ts'

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

/** The user as a reader of large lists. */
export function getReader(request: { principal?: Principal; connection: Connection }): Reader {
  return { accountId: getUser(request).accountId, ...request.connection }
}
