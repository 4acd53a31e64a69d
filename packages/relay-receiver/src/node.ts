/**
 * Turns the receiver into a request listener for node:http and node:https.
 * In: a receiver. Out: a listener for createServer().
 */
import type { RequestListener } from 'node:http'
import { sendResponse, toRequest } from './node-bridge.ts'
import { toProblemResponse } from './problem.ts'
import type { Receiver } from './receiver.ts'

export function toNodeListener(receive: Receiver): RequestListener {
  return async (request, response) => {
    const answer = await answerTo(request).catch(toProblemResponse)
    await sendResponse(answer, response)
  }

  async function answerTo(request: Parameters<RequestListener>[0]): Promise<Response> {
    return receive(toRequest(request))
  }
}
