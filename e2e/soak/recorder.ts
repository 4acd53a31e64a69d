/**
 * A relay that accepts every report and checks ids and order on arrival.
 * In: relay messages of reports whose first position has the id `<queue>:<number>`, with numbers increasing in the
 * order of sending.
 * Out: the numbers that have arrived, and the violations.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import type { RelayMessage } from '@posrep/spec'
import type { Random } from './random.ts'

export interface Recorder {
  url: string
  /** The numbers of one queue that have arrived at least once. */
  received(queue: string): ReadonlySet<number>
  /** From now on each message is answered with the status for its index among all messages, instead of 204. */
  answering(status: (index: number) => number): void
  /** Stops listening, until it listens on the same port again. */
  goAway(): void
  comeBack(): Promise<void>
  counts: { first: number; repeated: number; late: number }
  /** The violations, one line each; at most the first hundred. */
  violations: string[]
  stop(): void
}

export interface RecorderOptions {
  certificate: { cert: string; key: string }
  random: Random
  /** Share of the messages that are accepted and answered late. */
  troubled: number
}

interface Queue {
  last: number
  /** The message's id and the digest of its report, by number. */
  seen: Map<number, string>
  received: Set<number>
}

export async function aRecorder({ certificate, random, troubled }: RecorderOptions): Promise<Recorder> {
  const queues = new Map<string, Queue>()
  const violations: string[] = []
  const counts = { first: 0, repeated: 0, late: 0 }
  const ids = new Map<string, string>()
  let statusOf: (index: number) => number = () => 204
  let messages = 0

  function record(id: string, text: string, positionId: string, isAccepted: boolean): void {
    const [name = '', digits] = positionId.split(':')
    const number = Number(digits)
    const queue = queues.get(name) ?? { last: 0, seen: new Map(), received: new Set() }
    queues.set(name, queue)
    const fingerprint = `${id} ${createHash('sha256').update(text).digest('base64url')}`
    const before = queue.seen.get(number)
    if (isAccepted) queue.received.add(number)
    if (before !== undefined) {
      counts.repeated++
      if (before !== fingerprint)
        violate(`${positionId} came again with another id or content: ${before}, ${fingerprint}`)
      return
    }
    const owner = ids.get(id)
    if (owner !== undefined) violate(`${positionId} came with the webhook-id of ${owner}`)
    if (number <= queue.last) violate(`${positionId} came first after ${name}:${queue.last}`)
    ids.set(id, positionId)
    queue.last = number
    queue.seen.set(number, fingerprint)
    counts.first++
  }

  function violate(what: string): void {
    if (violations.length < 100) violations.push(what)
  }

  const server = https.createServer(certificate, (request, response) => {
    const chunks: Buffer[] = []
    request.on('error', () => {
      // The sender was killed during the message, so it will send it again.
    })
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      const text = Buffer.concat(chunks).toString()
      const message: RelayMessage = JSON.parse(text)
      if (message.name === 'validate') return response.end(message.validationCode)
      const status = statusOf(messages++)
      record(String(request.headers['webhook-id']), text, message.positionReport.positions[0]?.id ?? '', status < 300)
      if (!random.chance(troubled)) return response.writeHead(status).end()
      counts.late++
      // A server that is killed now has delivered the message without knowing it.
      setTimeout(() => response.writeHead(status).end(), random.whole(5, 60))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  const goAway = () => {
    server.close()
    server.closeAllConnections()
  }
  return {
    url: `https://localhost:${port}/positions`,
    received: (queue) => queues.get(queue)?.received ?? new Set(),
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
