/**
 * The load generator for reports, a process: keep-alive connections, each with one device and one report at a time.
 * In: an order on standard input. Out: a Measurement on standard output; exit 1 when an answer is not 202.
 *
 * Without a rate each connection sends its next report after an answer, which measures the throughput. With a rate,
 * reports become due at that rate; the delay of a report includes its wait for a free connection.
 */
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'
import { startMeasuring, toMeasurement } from './measurement.ts'
import { createReportRequest, type Device, type ReportRequest } from './report-request.ts'

export interface ReportWork {
  /** Ports of the servers that share the load, on 127.0.0.1. */
  ports: number[]
  /** Assigned to the connections in rotation. */
  devices: Device[]
  positions: number
}

interface Order {
  work: ReportWork
  seconds: number
  connections: number
  /** Reports per second of all connections together. */
  rate?: number
}

interface Client {
  connection: Connection
  request: ReportRequest
  /** When the current report became due, in ms. */
  dueAtMs: number
}

const order: Order = JSON.parse(await text(process.stdin))
const delaysMs: number[] = []
const idle: Client[] = []
let sent = 0
let answeredCount = 0
let idleAgain: (client: Client) => void = (client) => idle.push(client)

const clients = await Promise.all(
  Array.from({ length: order.connections }, (_, index) => openClient(index, order.work)),
)
const startedAtMs = startMeasuring()
const endAtMs = startedAtMs + order.seconds * 1_000
await (order.rate === undefined ? sendAtOnce() : sendAtRate(order.rate))
const measurement = toMeasurement(delaysMs, startedAtMs)
for (const { connection } of clients) connection.close()
process.stdout.write(JSON.stringify(measurement))

async function openClient(index: number, { ports, devices, positions }: ReportWork): Promise<Client> {
  const port = ports[index % ports.length] ?? 0
  const device = devices[index % devices.length]
  if (!device) return fail(new Error('At least one device is required'))
  const connection = await openConnection({
    port,
    answered(status, answer) {
      if (status !== 202) return fail(new Error(`127.0.0.1:${port} answered ${status}: ${answer}`))
      delaysMs.push(performance.now() - client.dueAtMs)
      answeredCount++
      idleAgain(client)
    },
    failed: fail,
  })
  const prefix = `${process.pid.toString(36)}${Date.now().toString(36)}-${index}`
  const request = createReportRequest({ host: `127.0.0.1:${port}`, device, positions, prefix })
  const client: Client = { connection, request, dueAtMs: 0 }
  return client
}

function send(client: Client, dueAtMs: number): void {
  client.request.vary(sent++)
  client.dueAtMs = dueAtMs
  client.connection.send(client.request.bytes)
}

function sendAtOnce(): Promise<void> {
  return new Promise((ended) => {
    idleAgain = (client) => {
      const nowMs = performance.now()
      if (nowMs < endAtMs) send(client, nowMs)
      else if (answeredCount === sent) ended()
    }
    for (const client of clients) send(client, performance.now())
  })
}

async function sendAtRate(rate: number): Promise<void> {
  /** The due times of reports that wait for a free connection. */
  const overdue: number[] = []
  idleAgain = (client) => {
    const dueAtMs = overdue.shift()
    if (dueAtMs === undefined) idle.push(client)
    else send(client, dueAtMs)
  }
  idle.push(...clients)
  let due = 0
  for (let nowMs = performance.now(); nowMs < endAtMs; nowMs = performance.now()) {
    // A late timer is not the server's fault, so reports become due when the timer fires.
    for (const target = ((nowMs - startedAtMs) * rate) / 1_000; due < target; due++) {
      const client = idle.shift()
      if (client) send(client, nowMs)
      else overdue.push(nowMs)
    }
    await setTimeout(1)
  }
  while (answeredCount < sent || overdue.length > 0) await setTimeout(1)
}

function fail(error: Error): never {
  process.stderr.write(`bench: ${error.message}\n`)
  process.exit(1)
}
