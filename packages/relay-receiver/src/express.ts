/**
 * The receiver as an Express 5 handler.
 * In: the receiver's options. Out: a handler for the relay's route; mount it before any body parser.
 */
import type { RequestHandler } from 'express'
import { sendResponse, toRequest } from './node-bridge.ts'
import { createReceiver, type ReceiverOptions } from './receiver.ts'

/** Passes ReceiverError `body_already_read` to Express when a body parser has already consumed the body. */
export function relayReceiver(options: ReceiverOptions): RequestHandler {
  const receive = createReceiver(options)
  return async (request, response) => {
    await sendResponse(await receive(toRequest(request)), response)
  }
}
