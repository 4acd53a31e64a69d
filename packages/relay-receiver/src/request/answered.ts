/** One answer of the receiver, as the `onAnswer` hook gets it. */
import type { ReceiverErrorCode } from '../errors.ts'

export interface Answered {
  status: number
  /** The reason of a 4xx or 5xx answer; see the README's table of errors. */
  code: ReceiverErrorCode | 'internal_error' | undefined
  /** Undefined if the request was refused before its body was parsed. */
  name: 'validate' | 'position_report' | undefined
  /** Whether the message had been accepted before, so that `onReport` was not called. */
  repeated: boolean
  /** `webhook-id`, and the device that it names. Anyone can have written them if the message was refused. */
  id: string | undefined
  device: string | undefined
  /** From the request to the answer, in ms. */
  tookMs: number
}
