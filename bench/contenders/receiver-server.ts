/**
 * A relay owner's server: node:http, and the receiver with its signature check, pinning, repetitions and validation.
 */
import http from 'node:http'
import { relayReceiver } from '@posrep/relay-receiver/node'
import type { TestSender } from '@posrep/relay-receiver/testing'
import { tellReady } from './tell-ready.ts'

const from: TestSender['keys'] = JSON.parse(process.argv[2] ?? '')
const receiver = relayReceiver({ from, clientParts: ['acme'], onReport: () => {}, maxConcurrent: 1_000 })
const server = http.createServer(receiver)
server.listen(0, '127.0.0.1', () => tellReady(server))
