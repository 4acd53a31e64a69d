/**
 * Where relay messages arrive, as a process: one HTTPS server for all relays, told apart by path.
 * In: --port, --cert, --key, --relays, --messages of each. It answers nothing until it is told to (POST /go of its control
 * address), so that every contender begins with its connections open and everything owed; then 200 at once.
 * Out: a Measurement, after it has seen that each relay got each message once and in order. Its delays are the times
 * between two messages of one relay. The first third brings the contender up to speed, a process that was just started, and
 * is not counted, but for "requests", over which its processor time is shared.
 */

import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import { parseArgs } from 'node:util'
import { startMeasuring, toMeasurement } from '../load/measurement.ts'
import { takePosts } from './take-posts.ts'
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
  /** The number of its next message. */
  next: number
  latestAtMs: number
}

/** By path. */
let seen = new Map<string, Relay>()
let arrived = 0
/** Of messages behind the warm-up, the times between them and the one before of their relay. */
let pausesMs: number[] = []
let held: (() => void)[] | undefined = []
let all = expectAll()
const numbered = Buffer.from('"id":"message-')
/** When the warm-up was over. */
let startedAtMs = 0

const connections = new Set<Socket>()
const sink = tls.createServer({ cert: readFileSync(values.cert), key: readFileSync(values.key) }, (connection) => {
  connections.add(connection)
  connection.once('close', () => connections.delete(connection))
  connection.setNoDelay(true)
  takePosts(connection, ({ path, body, answer }) => {
    if (held) held.push(answer)
    else answer()
    try {
      note(path, body)
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
    void letGo().then(
      (measurement) => response.end(JSON.stringify(measurement)),
      (error: Error) => {
        response.statusCode = 500
        response.end(error.message)
      },
    )
  }
})

/** Nothing is known any more, and nothing is answered. */
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
  // Told to whoever asks for it; a contender that is being started can be wrong before anybody does.
  expected.promise.catch(() => {})
  return expected
}

async function letGo() {
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
function note(path: string, body: Buffer): void {
  const atMs = performance.now()
  const relay = seen.get(path) ?? meet(path)
  const number = readNumber(body)
  if (number !== relay.next) throw new Error(`"${path}" got message ${number}, and should have got ${relay.next}`)
  if (arrived >= warmUp && relay.next > 0) pausesMs.push(atMs - relay.latestAtMs)
  relay.next++
  relay.latestAtMs = atMs
  arrived++
  if (arrived === warmUp) startedAtMs = startMeasuring()
  if (arrived === total) all.resolve()
}

function meet(path: string): Relay {
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
    // Listening on TCP, as it does, gives an AddressInfo.
    const { port } = control.address() as AddressInfo
    tellReady(sink, { control: `http://127.0.0.1:${port}` })
  }),
)
