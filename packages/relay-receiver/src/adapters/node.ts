/**
 * The receiver as a request listener for node:http and node:https, and for frameworks that give access to Node's
 * request.
 * In: the receiver's options, or any function from Request to Response. Out: a listener for createServer().
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ReceiverOptions } from '../options.ts'
import { printToConsole } from '../ports.ts'
import { relayReceiver as createReceiver, type RelayReceiver } from '../receiver.ts'
import { sendResponse, toRequest } from './node-bridge.ts'

/** Resolves when the response is sent, or cannot be sent any more; it never rejects. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export type RelayListener = NodeListener & Pick<RelayReceiver, 'expectValidation'>

/**
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { relayReceiver } from '@posrep/relay-receiver/node'
 *
 * const receiver = relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   onReport: ({ positions }) => console.log(positions),
 * })
 * createServer(receiver).listen(8080)
 * ```
 */
export function relayReceiver(options: ReceiverOptions): RelayListener {
  const { fetch, expectValidation } = createReceiver(options)
  return Object.assign(toNodeListener(fetch), { expectValidation })
}

/** @param answer A rejection is printed and answered with 500: Express 4 and node:http would let it end the process. */
export function toNodeListener(answer: (request: Request) => Promise<Response>): NodeListener {
  return async (request, response) => {
    try {
      await sendResponse(await answer(toRequest(request)), response)
    } catch (cause) {
      printToConsole(cause)
      if (!response.headersSent) response.statusCode = 500
      response.end()
    }
  }
}
