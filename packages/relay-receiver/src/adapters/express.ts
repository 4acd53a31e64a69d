/**
 * The receiver as an Express handler, for Express 4 and 5.
 * In: the receiver's options. Out: a handler for the relay's route. It needs the raw body: see toRequest() for body
 * parsers. Express passes on Node's own request and response, so the handler needs neither Express nor its types.
 *
 * @example
 * ```ts
 * import { relayReceiver } from '@posrep/relay-receiver/express'
 * import express from 'express'
 *
 * const receiver = relayReceiver({
 *   from: 'https://localhost:8443',
 *   devices: ['urn:aa:device:demo:roof1'],
 *   onReport: ({ positions }) => console.log(positions),
 * })
 * // Before any body parser: signatures cover the raw bytes.
 * express().use('/position-reports', receiver).listen(8080)
 * ```
 */
export { type RelayListener as RelayHandler, relayReceiver } from './node.ts'
