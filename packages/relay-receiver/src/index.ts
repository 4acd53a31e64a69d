/** Relay receiver: answers validation messages and passes typed reports to a function. `./node` and `./express` have the adapters. */

export type { PositionData, PositionReport } from '@posrep/spec'
export type { ReceiverErrorCode } from './errors.ts'
export { ReceiverError } from './errors.ts'
export type { Clock, Fetch } from './ports.ts'
export type { Receiver, ReceiverOptions } from './receiver.ts'
export { createReceiver } from './receiver.ts'
export type { Delivery } from './request/delivery.ts'
export type { PinningOptions } from './trust/pinning.ts'
export type { SignedMessage, VerifyOptions } from './trust/verify-signatures.ts'
export { verifySignatures } from './trust/verify-signatures.ts'
