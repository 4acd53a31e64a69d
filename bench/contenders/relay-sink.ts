/**
 * A process that receives relay messages: one HTTPS server for all relays, which differ by path.
 * In: --port, --cert, --key, --relays, --messages of each. It sends no answers until POST /go to its control address,
 * so that every contender starts with open connections and a full queue; then it answers 200 at once.
 * Out: a Measurement, after it has checked that each relay got each message once and in order. The delays are the times
 * between two messages of one relay. The first third is a warm-up of the new process and not counted, except in
 * "requests", by which the processor time is divided.
 */

import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import { parseArgs } from 'node:util'
import { startMeasuring, toMeasurement } from '../load/measurement.ts'
import { readPosts } from './read-posts.ts'
import { tellReady } from './tell-ready.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    cert: { type: 'string', default: '' },
    key: { type: 'string', default: '' },
    relays: { type: 'string', default: '1' },
    messages: { type: 'string', default: '1' },
  },
})
const relays = Number(values.relays)
const messages = Number(values.messages)
const total = relays * messages
const warmUp = Math.floor(total / 3)

interface Relay {
  /** The number of the next message. */
  next: number
  latestAtMs: number
}

/** By path. */
let seen = new Map<string, Relay>()
let arrived = 0
/** The times between two messages of a relay, after the warm-up. */
let pausesMs: number[] = []
let held: (() => void)[] | undefined = []
let all = expectAll()
const numbered = Buffer.from('"id":"message-')
/** End of the warm-up. */
let startedAtMs = 0

const connections = new Set<Socket>()
const sink = tls.createServer({ cert: readFileSync(values.cert), key: readFileSync(values.key) }, (connection) => {
  connections.add(connection)
  connection.once('close', () => connections.delete(connection))
  connection.setNoDelay(true)
  readPosts(connection, ({ path, body, answer }) => {
    if (held) held.push(answer)
    else answer()
    try {
      record(path, body)
    } catch (error) {
      all.reject(error)
    }
  })
})
const control = http.createServer((request, response) => {
  if (request.url === '/held') response.end(String(held?.length ?? 0))
  else if (request.url === '/hold') {
    hold()
    response.end()
  } else {
    void release().then(
      (measurement) => response.end(JSON.stringify(measurement)),
      (error: Error) => {
        response.statusCode = 500
        response.end(error.message)
      },
    )
  }
})

/** Resets the state and holds back all answers. */
function hold(): void {
  for (const connection of connections) connection.destroy()
  seen = new Map()
  arrived = 0
  pausesMs = []
  startedAtMs = 0
  held = []
  all = expectAll()
}

function expectAll(): PromiseWithResolvers<void> {
  const expected = Promise.withResolvers<void>()
  // The caller of the promise gets the error; without this handler an earlier rejection would end the process.
  expected.promise.catch(() => {})
  return expected
}

async function release() {
  const answering = held ?? []
  held = undefined
  for (const answer of answering) answer()
  await all.promise
  const elapsedMs = performance.now() - startedAtMs
  const measurement = toMeasurement(pausesMs, startedAtMs)
  if (seen.size !== relays) throw new Error(`${seen.size} relays of ${relays} got messages`)
  return { ...measurement, requests: total, perSecond: ((total - warmUp) * 1_000) / elapsedMs }
}

/** @throws Error when a message is not the next one of its relay */
function record(path: string, body: Buffer): void {
  const atMs = performance.now()
  const relay = seen.get(path) ?? addRelay(path)
  const number = readNumber(body)
  if (number !== relay.next) throw new Error(`"${path}" got message ${number}, expected ${relay.next}`)
  if (arrived >= warmUp && relay.next > 0) pausesMs.push(atMs - relay.latestAtMs)
  relay.next++
  relay.latestAtMs = atMs
  arrived++
  if (arrived === warmUp) startedAtMs = startMeasuring()
  if (arrived === total) all.resolve()
}

function addRelay(path: string): Relay {
  const relay = { next: 0, latestAtMs: Number.NaN }
  seen.set(path, relay)
  return relay
}

/** NaN when it has none. */
function readNumber(body: Buffer): number {
  const start = body.indexOf(numbered)
  return start < 0
    ? Number.NaN
    : Number.parseInt(body.toString('latin1', start + numbered.length, start + numbered.length + 9), 10)
}

sink.listen(Number(values.port), '127.0.0.1', () =>
  control.listen(0, '127.0.0.1', () => {
    // A TCP server's address is an AddressInfo.
    const { port } = control.address() as AddressInfo
    tellReady(sink, { control: `http://127.0.0.1:${port}` })
  }),
)
