/**
 * Client SDK: sign-in, a session that refreshes itself, typed calls to the operations of a user or a device.
 * `createPosrep()` is the way in; `createLogin()`, `createSession()` and `createClient()` are its parts.
 */

export type {
  Delivery,
  DeliveryList,
  Device,
  DeviceList,
  NewSensor,
  PairingRequest,
  PositionData,
  PositionReport,
  Problem,
  RecentPositionReport,
  RecentPositionReportList,
  RelayDetails,
  RelayState,
  SensorRequest,
  SensorRequestList,
  SignedInUser,
} from '@posrep/spec'
export type { GetToken } from './calls/authorized-fetch.ts'
export type { CallOptions } from './calls/call-options.ts'
export type {
  Calls,
  Client,
  ListDeliveriesOptions,
  ListDevicesOptions,
  ListRecentReportsOptions,
  RelaySetting,
  RemoveDeviceOptions,
  SubmitPositionReportOptions,
} from './calls/client.ts'
export type { ClientOptions } from './calls/create-client.ts'
export { createClient } from './calls/create-client.ts'
export { fromRelayStateNumber, toRelayStateNumber } from './calls/relay-state.ts'
export type { ApiErrorCode, LoginErrorCode, PosrepErrorCode, SessionErrorCode } from './errors.ts'
export { ApiError, LoginError, PosrepError, SessionError } from './errors.ts'
export type { Login, LoginOptions, PendingLogin, StartedLogin, StartOptions } from './login/login.ts'
export { createLogin } from './login/login.ts'
export type { SignInOptions } from './login/page-sign-in.ts'
export type { OriginOptions } from './origins.ts'
export type { Channel, Clock, Fetch, Locks, WebStorage } from './ports.ts'
export type { Posrep, PosrepOptions } from './posrep.ts'
export { createPosrep } from './posrep.ts'
export type { Session, SessionOptions, SignedOutReason } from './session/session.ts'
export { createSession } from './session/session.ts'
export type { Tokens } from './session/tokens.ts'
export { memoryTokenStore } from './stores/memory.ts'
export type { TokenStore } from './stores/token-store.ts'
export type { WebTokenStoreOptions } from './stores/web.ts'
export { webTokenStore } from './stores/web.ts'
