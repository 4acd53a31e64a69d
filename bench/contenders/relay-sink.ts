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

interface Arrived {
  path: string
  body: string
  atMs: number
}

let arrived: Arrived[] = []
let held: (() => void)[] | undefined = []
let all = Promise.withResolvers<void>()
/** When the warm-up was over. */
let startedAtMs = 0

const connections = new Set<Socket>()
const sink = tls.createServer({ cert: readFileSync(values.cert), key: readFileSync(values.key) }, (connection) => {
  connections.add(connection)
  connection.once('close', () => connections.delete(connection))
  connection.setNoDelay(true)
  takePosts(connection, ({ path, body, answer }) => {
    arrived.push({ path, body, atMs: performance.now() })
    if (held) held.push(answer)
    else answer()
    if (arrived.length === warmUp) startedAtMs = startMeasuring()
    if (arrived.length === total) all.resolve()
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
  arrived = []
  startedAtMs = 0
  held = []
  all = Promise.withResolvers()
}

async function letGo() {
  const answering = held ?? []
  held = undefined
  for (const answer of answering) answer()
  await all.promise
  const elapsedMs = performance.now() - startedAtMs
  const measurement = toMeasurement(toPauses(), startedAtMs)
  check()
  return { ...measurement, requests: total, perSecond: ((total - warmUp) * 1_000) / elapsedMs }
}

/** Between two messages of one relay, of which the second is no warm-up. */
function toPauses(): number[] {
  const latest = new Map<string, number>()
  return arrived.flatMap(({ path, atMs }, index) => {
    const beforeMs = latest.get(path)
    latest.set(path, atMs)
    return beforeMs === undefined || index < warmUp ? [] : [atMs - beforeMs]
  })
}

/** @throws Error when a message is not the next one of its relay */
function check(): void {
  const next = new Map<string, number>()
  for (const { path, body } of arrived) {
    const expected = next.get(path) ?? 0
    const number = Number(/"id":"message-(\d+)"/.exec(body)?.[1] ?? Number.NaN)
    if (number !== expected) throw new Error(`"${path}" got message ${number}, and should have got ${expected}`)
    next.set(path, expected + 1)
  }
  if (next.size !== relays) throw new Error(`${next.size} relays of ${relays} got messages`)
}

sink.listen(Number(values.port), '127.0.0.1', () =>
  control.listen(0, '127.0.0.1', () => {
    // Listening on TCP, as it does, gives an AddressInfo.
    const { port } = control.address() as AddressInfo
    tellReady(sink, { control: `http://127.0.0.1:${port}` })
  }),
)
