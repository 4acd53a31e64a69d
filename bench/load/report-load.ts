/**
 * The load generator for reports, as a process: connections that are kept alive, one device and one report at a time on
 * each. In: an order, on standard input. Out: one Measurement, on standard output; exit 1 when an answer is not 202.
 *
 * Without a rate each connection sends again once it is answered: how much the server takes. With one, reports are due at
 * that rate, whatever the server does: what is due while all connections wait counts its waiting, too.
 */
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { type Connection, openConnection } from './connection.ts'
import { startMeasuring, toMeasurement } from './measurement.ts'
import { createReportRequest, type Device, type ReportRequest } from './report-request.ts'

export interface ReportWork {
  /** Of the servers that share the load, on 127.0.0.1. */
  ports: number[]
  /** Connections take them in turn. */
  devices: Device[]
  positions: number
}

interface Order {
  work: ReportWork
  seconds: number
  connections: number
  /** Reports per second, all connections together. */
  rate?: number
}

interface Line {
  connection: Connection
  request: ReportRequest
  /** Of the report that is under way, in ms. */
  dueAtMs: number
}

const order: Order = JSON.parse(await text(process.stdin))
const delaysMs: number[] = []
const idle: Line[] = []
let sent = 0
let answeredCount = 0
let idleAgain: (line: Line) => void = (line) => idle.push(line)

const lines = await Promise.all(Array.from({ length: order.connections }, (_, index) => openLine(index, order.work)))
const startedAtMs = startMeasuring()
const endAtMs = startedAtMs + order.seconds * 1_000
await (order.rate === undefined ? sendAtOnce() : sendAtRate(order.rate))
const measurement = toMeasurement(delaysMs, startedAtMs)
for (const { connection } of lines) connection.close()
process.stdout.write(JSON.stringify(measurement))

async function openLine(index: number, { ports, devices, positions }: ReportWork): Promise<Line> {
  const port = ports[index % ports.length] ?? 0
  const device = devices[index % devices.length]
  if (!device) return fail(new Error('There must be a device'))
  const connection = await openConnection({
    port,
    answered(status, answer) {
      if (status !== 202) return fail(new Error(`127.0.0.1:${port} answered ${status}: ${answer}`))
      delaysMs.push(performance.now() - line.dueAtMs)
      answeredCount++
      idleAgain(line)
    },
    failed: fail,
  })
  const prefix = `${process.pid.toString(36)}${Date.now().toString(36)}-${index}`
  const request = createReportRequest({ host: `127.0.0.1:${port}`, device, positions, prefix })
  const line: Line = { connection, request, dueAtMs: 0 }
  return line
}

function send(line: Line, dueAtMs: number): void {
  line.request.vary(sent++)
  line.dueAtMs = dueAtMs
  line.connection.send(line.request.bytes)
}

function sendAtOnce(): Promise<void> {
  return new Promise((ended) => {
    idleAgain = (line) => {
      const nowMs = performance.now()
      if (nowMs < endAtMs) send(line, nowMs)
      else if (answeredCount === sent) ended()
    }
    for (const line of lines) send(line, performance.now())
  })
}

async function sendAtRate(rate: number): Promise<void> {
  /** When each report became due that no connection was free for. */
  const overdue: number[] = []
  idleAgain = (line) => {
    const dueAtMs = overdue.shift()
    if (dueAtMs === undefined) idle.push(line)
    else send(line, dueAtMs)
  }
  idle.push(...lines)
  let due = 0
  for (let nowMs = performance.now(); nowMs < endAtMs; nowMs = performance.now()) {
    // A timer that is late is the generator's fault, not the server's: what is due counts from here.
    for (const target = ((nowMs - startedAtMs) * rate) / 1_000; due < target; due++) {
      const line = idle.shift()
      if (line) send(line, nowMs)
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
