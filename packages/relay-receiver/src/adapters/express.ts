/**
 * The receiver as an Express handler.
 * In: the receiver's options. Out: a handler for the relay's route. It needs the raw body: see toRequest() for body parsers.
 */
import type { RequestHandler } from 'express'
import type { ReceiverOptions } from '../options.ts'
import type { RelayReceiver } from '../receiver.ts'
import { relayReceiver as relayListener } from './node.ts'

export type RelayHandler = RequestHandler & Pick<RelayReceiver, 'expectValidation'>

export function relayReceiver(options: ReceiverOptions): RelayHandler {
  const listener = relayListener(options)
  const handler: RequestHandler = (request, response) => listener(request, response)
  return Object.assign(handler, { expectValidation: listener.expectValidation })
}
