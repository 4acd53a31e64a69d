/**
 * A relay owner outside: takes every report, compares on arrival, and remembers only what is needed for that.
 * In: relay messages of reports whose first position's id is `<line>:<number>`, numbers rising in the order of sending.
 * Out: which numbers have come, and what broke a promise.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { RelayMessage } from '@posrep/spec'
import type { Random } from './random.ts'

export interface Recorder {
  url: string
  /** Of one line: the numbers that have been taken at least once. */
  received(line: string): ReadonlySet<number>
  /** From now on each message gets the status that this says of its place among all, instead of 204. */
  answering(status: (place: number) => number): void
  /** Nobody listens any more, until it comes back to the same port. */
  goAway(): void
  comeBack(): Promise<void>
  counts: { first: number; repeated: number; late: number }
  /** One line each; at most the first hundred. */
  violations: string[]
  stop(): void
}

export interface RecorderOptions {
  certificate: { cert: string; key: string }
  random: Random
  /** Share of the messages that are taken, and answered late. */
  troubled: number
}

interface Line {
  last: number
  /** By number: the message's id and the digest of its report. */
  seen: Map<number, string>
  received: Set<number>
}

export async function aRecorder({ certificate, random, troubled }: RecorderOptions): Promise<Recorder> {
  const lines = new Map<string, Line>()
  const violations: string[] = []
  const counts = { first: 0, repeated: 0, late: 0 }
  const ids = new Map<string, string>()
  let statusOf: (place: number) => number = () => 204
  let messages = 0

  function note(id: string, text: string, positionId: string, isTaken: boolean): void {
    const [name = '', digits] = positionId.split(':')
    const number = Number(digits)
    const line = lines.get(name) ?? { last: 0, seen: new Map(), received: new Set() }
    lines.set(name, line)
    const fingerprint = `${id} ${createHash('sha256').update(text).digest('base64url')}`
    const before = line.seen.get(number)
    if (isTaken) line.received.add(number)
    if (before !== undefined) {
      counts.repeated++
      if (before !== fingerprint)
        violate(`${positionId} came again and cannot be recognised: ${before}, ${fingerprint}`)
      return
    }
    const owner = ids.get(id)
    if (owner !== undefined) violate(`${positionId} came with the webhook-id of ${owner}`)
    if (number <= line.last) violate(`${positionId} came first after ${name}:${line.last}`)
    ids.set(id, positionId)
    line.last = number
    line.seen.set(number, fingerprint)
    counts.first++
  }

  function violate(what: string): void {
    if (violations.length < 100) violations.push(what)
  }

  const server = https.createServer(certificate, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {
      // The sender was killed in the middle of it; it has to come again.
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message: RelayMessage = JSON.parse(text)
      if (message.name === 'validate') return response.end(message.validationCode)
      const status = statusOf(messages++)
      note(String(request.headers['webhook-id']), text, message.positionReport.positions[0]?.id ?? '', status < 300)
      if (!random.chance(troubled)) return response.writeHead(status).end()
      counts.late++
      // Whoever is killed now has delivered and does not know it.
      setTimeout(() => response.writeHead(status).end(), random.whole(5, 60))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // Listening on TCP, as here, gives an AddressInfo.
  const { port } = server.address() as AddressInfo
  const goAway = () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `https://localhost:${port}/positions`,
    received: (line) => lines.get(line)?.received ?? new Set(),
    counts,
    violations,
    answering(status) {
      statusOf = status
    },
    goAway,
    async comeBack() {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    stop: goAway,
  }
}
