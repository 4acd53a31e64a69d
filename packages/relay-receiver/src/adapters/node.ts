/**
 * The receiver as a request listener for node:http and node:https, and for frameworks that give access to Node's request.
 * In: the receiver's options, or any function from Request to Response. Out: a listener for createServer().
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceiverOptions } from '../options.ts'
import { relayReceiver as createReceiver, type RelayReceiver } from '../receiver.ts'
import { sendResponse, toRequest } from './node-bridge.ts'

/** Resolves when the response is sent, or cannot be sent any more; it never rejects. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export type RelayListener = NodeListener & Pick<RelayReceiver, 'expectValidation'>

export function relayReceiver(options: ReceiverOptions): RelayListener {
  const { fetch, expectValidation } = createReceiver(options)
  return Object.assign(toNodeListener(fetch), { expectValidation })
}

/** @param answer Must not reject. */
export function toNodeListener(answer: (request: Request) => Promise<Response>): NodeListener {
  return async (request, response) => sendResponse(await answer(toRequest(request)), response)
}
