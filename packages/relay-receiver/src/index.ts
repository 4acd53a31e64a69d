/** Relay receiver: answers validation, and hands typed reports to the owner's function. Node adapters are entries of their own. */

export { ReceiverError } from './errors.ts'
export { createReceiver } from './receiver.ts'
export { verifySignatures } from './verify-signatures.ts'

// Types.

export type { PositionData, PositionReport } from '@posrep/spec'
export type { Delivery } from './delivery.ts'
export type { ReceiverErrorCode } from './errors.ts'
export type { Clock, Fetch } from './ports.ts'
export type { Receiver, ReceiverOptions } from './receiver.ts'
export type { SignedMessage, VerifyOptions } from './verify-signatures.ts'
