/**
 * Relay receiver: answers validation messages and passes typed reports to a function. `./express` and `./node` have the
 * adapters.
 */

export type { PositionData, PositionReport } from '@posrep/spec'
export type { ReceiverErrorCode } from './errors.ts'
export { ReceiverError } from './errors.ts'
export type { OnReport, ReceiverOptions } from './options.ts'
export type { Clock, Fetch } from './ports.ts'
export type { RelayReceiver } from './receiver.ts'
export { relayReceiver } from './receiver.ts'
export type { Answered } from './request/answered.ts'
export type { Delivery } from './request/delivery.ts'
export type { ValidationAnswer } from './request/validation-answer.ts'
export type { DeduplicationStore } from './stores/deduplication-store.ts'
export type { MemoryStoreOptions } from './stores/memory-store.ts'
export { memoryStore } from './stores/memory-store.ts'
export type { PinningOptions } from './trust/pinning.ts'
export type { SignedMessage, VerifyOptions } from './trust/verify-signatures.ts'
export { verifySignatures } from './trust/verify-signatures.ts'
