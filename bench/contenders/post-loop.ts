/**
 * The least that delivers: undici posts the same messages, signed, one after the other for each relay; a status other
 * than 2xx ends it with exit code 1. Nothing is stored, no address is checked, and all messages are in memory before
 * the first is sent.
 */
import { generateKeyPairSync, sign } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Pool } from 'undici'
import { toRelayUrl, toReport } from './start-relay-sink.ts'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '' },
    relays: { type: 'string', default: '1' },
    messages: { type: 'string', default: '1' },
    connections: { type: 'string', default: '1' },
  },
})
const port = Number(values.port)
const connections = Number(values.connections)
const relays = Array.from({ length: Number(values.relays) }, (_, relay) => ({
  path: new URL(toRelayUrl(port, relay)).pathname,
  messages: Array.from({ length: Number(values.messages) }, (_, number) => toMessage(toReport(relay, number))),
}))
/** As long as those of our server. */
const id = `msg_${'0'.repeat(43)}`
const seconds = '1795000000'
const { privateKey } = generateKeyPairSync('ed25519')
const pool = new Pool(new URL(toRelayUrl(port, 0)).origin, { connections, pipelining: 1 })

process.stdout.write(`${JSON.stringify({ event: 'ready' })}\n`)
process.once('SIGTERM', () => process.exit(0))
// The process runs until it is ended, as a server does.
setInterval(() => {}, 60_000)
let next = 0
await Promise.all(Array.from({ length: connections }, postAll))

async function postAll(): Promise<void> {
  for (let relay = relays[next++]; relay; relay = relays[next++]) {
    for (const message of relay.messages) await post(relay.path, message)
  }
}

async function post(path: string, body: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'posrep-server',
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1a,${toSignature(body)}`,
  }
  const { statusCode, body: answer } = await pool.request({ path, method: 'POST', headers, body })
  await answer.dump()
  if (statusCode > 299) {
    process.stderr.write(`bench: "${path}" answered ${statusCode}\n`)
    process.exit(1)
  }
}

function toSignature(body: string): string {
  return sign(null, Buffer.from(`${id}.${seconds}.${body}`), privateKey).toString('base64')
}

function toMessage(report: string): string {
  return `{"name":"position_report","version":"1.0","positionReport":${report}}`
}
