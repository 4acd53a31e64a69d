/** Client SDK: sign-in, a session that refreshes itself, typed calls to the operations of a user. */

export type {
  Device,
  DeviceList,
  PairingRequest,
  PositionData,
  Problem,
  RecentPositionReport,
  RecentPositionReportList,
  RelayDetails,
  RelayState,
} from '@posrep/spec'
export type { CallOptions, Client, ClientOptions, RelaySetting } from './client.ts'
export { createClient } from './client.ts'
export type { ApiErrorCode, LoginErrorCode, SessionErrorCode } from './errors.ts'
export { ApiError, LoginError, SessionError } from './errors.ts'
export type { Login, LoginOptions, PendingLogin, StartedLogin } from './login.ts'
export { createLogin } from './login.ts'
export type { Clock, Fetch, Locks } from './ports.ts'
export type { Session, SessionOptions, SignedOutReason } from './session.ts'
export { createSession } from './session.ts'
export type { TokenStore, WebTokenStoreOptions } from './token-store.ts'
export { memoryTokenStore, webTokenStore } from './token-store.ts'
export type { Tokens } from './tokens.ts'
