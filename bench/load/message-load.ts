/**
 * The load generator for receivers of relay messages, a process: keep-alive connections with one message at a time.
 * In: an order on standard input. Out: a Measurement on standard output; exit 1 when an answer is not 204.
 */
import { text } from 'node:stream/consumers'
import { openConnection } from './connection.ts'
import { startMeasuring, toMeasurement } from './measurement.ts'

export interface MessageWork {
  /** On 127.0.0.1. */
  port: number
  /** Sent in rotation. */
  messages: { headers: Record<string, string>; body: string }[]
}

interface Order {
  work: MessageWork
  seconds: number
  connections: number
}

const { work, seconds, connections }: Order = JSON.parse(await text(process.stdin))
const requests = work.messages.map(toRequest)
const delaysMs: number[] = []
let sent = 0

const open = await Promise.all(Array.from({ length: connections }, openClient))
const startedAtMs = startMeasuring()
const endAtMs = startedAtMs + seconds * 1_000
await Promise.all(open.map(({ run }) => run()))
const measurement = toMeasurement(delaysMs, startedAtMs)
for (const { close } of open) close()
process.stdout.write(JSON.stringify(measurement))

async function openClient() {
  let sentAtMs = 0
  let ended = () => {}
  const connection = await openConnection({
    port: work.port,
    answered(status, answer) {
      if (status !== 204) return fail(new Error(`127.0.0.1:${work.port} answered ${status}: ${answer}`))
      delaysMs.push(performance.now() - sentAtMs)
      if (performance.now() < endAtMs) next()
      else ended()
    },
    failed: fail,
  })
  return { run, close: connection.close }

  function run(): Promise<void> {
    return new Promise((resolve) => {
      ended = resolve
      next()
    })
  }

  function next(): void {
    sentAtMs = performance.now()
    connection.send(requests[sent++ % requests.length] ?? Buffer.alloc(0))
  }
}

function toRequest({ headers, body }: MessageWork['messages'][number]): Buffer {
  const all = { host: `127.0.0.1:${work.port}`, ...headers, 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`POST /position-reports HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

function fail(error: Error): never {
  process.stderr.write(`bench: ${error.message}\n`)
  process.exit(1)
}
