/**
 * Signed relay messages for each contender.
 * In: the number of positions. Out: messages with fresh timestamps, signed as the contender expects it.
 */

import { sign } from '@octokit/webhooks-methods'
import { createTestSender, type TestMessage } from '@posrep/relay-receiver/testing'
import { Webhook } from 'svix'
import type { MessageWork } from '../load/message-load.ts'
import { createReportRequest } from '../load/report-request.ts'
import type { Contender } from './contender.ts'
import { type StartOptions, startProcess } from './start-process.ts'

/** Repeated in rotation. Each is checked in full each time. */
const messages = (positions: number) => Math.max(200, Math.round(2_000 / positions))

const secret = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

export async function startReceiver(positions: number, options?: StartOptions): Promise<Contender<MessageWork>> {
  const sender = await createTestSender()
  const keys = JSON.stringify(sender.keys)
  return start('receiver-server.ts', [keys], { positions, options, toSigned: (body) => sender.sign(body) })
}

export async function startSvix(positions: number): Promise<Contender<MessageWork>> {
  const webhook = new Webhook(secret)
  return start('webhook-server.ts', ['svix', secret], {
    positions,
    async toSigned(body) {
      const id = `urn:aa:device:acme:roof1/${crypto.randomUUID()}`
      const now = new Date()
      const timestamp = String(Math.floor(now.getTime() / 1_000))
      const signature = webhook.sign(id, now, body)
      return {
        headers: { ...json, 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature },
        body,
      }
    },
  })
}

export async function startOctokit(positions: number): Promise<Contender<MessageWork>> {
  return start('webhook-server.ts', ['octokit', secret], {
    positions,
    async toSigned(body) {
      const delivery = { 'x-github-delivery': crypto.randomUUID(), 'x-github-event': 'position_report' }
      return { headers: { ...json, ...delivery, 'x-hub-signature-256': await sign(secret, body) }, body }
    },
  })
}

const json = { 'content-type': 'application/json' }

interface Kind {
  positions: number
  options?: StartOptions | undefined
  toSigned(body: string): Promise<TestMessage>
}

async function start(
  program: string,
  args: string[],
  { positions, options, toSigned }: Kind,
): Promise<Contender<MessageWork>> {
  const { ready, pid, stop } = await startProcess(new URL(program, import.meta.url).pathname, args, options)
  // The format that the programs print.
  const { port } = ready as { port: number }
  return {
    pids: { server: pid },
    async prepare() {
      const bodies = Array.from({ length: messages(positions) }, (_, n) => toBody(n, positions))
      return { port, messages: await Promise.all(bodies.map(toSigned)) }
    },
    stop,
  }
}

function toBody(n: number, positions: number): string {
  const device = { sensorId: 'roof1', token: '' }
  const request = createReportRequest({ host: '', device, positions, prefix: 'bench' })
  request.vary(n)
  const report = request.bytes.subarray(request.bytes.indexOf('\r\n\r\n') + 4).toString('latin1')
  return `{"name":"position_report","version":"1.0","positionReport":${report}}`
}
