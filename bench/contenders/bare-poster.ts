/**
 * The least there is: undici, the same messages in a row for each relay, 2xx or exit 1. Nothing is kept, nobody's address is
 * looked at, and nothing is signed unless --sign is given. Its messages lie in memory before the first is sent.
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
    sign: { type: 'boolean', default: false },
  },
})
const port = Number(values.port)
const connections = Number(values.connections)
const relays = Array.from({ length: Number(values.relays) }, (_, relay) => ({
  path: new URL(toRelayUrl(port, relay)).pathname,
  messages: Array.from({ length: Number(values.messages) }, (_, number) => toMessage(toReport(relay, number))),
}))
/** As many bytes as ours has. */
const id = `msg_${'0'.repeat(43)}`
const seconds = '1795000000'
const signature = '0'.repeat(88)
const { privateKey } = generateKeyPairSync('ed25519')
const pool = new Pool(new URL(toRelayUrl(port, 0)).origin, { connections, pipelining: 1 })

process.stdout.write(`${JSON.stringify({ event: 'ready' })}\n`)
process.once('SIGTERM', () => process.exit(0))
// Keeps the process until it is ended, as a server would be there.
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
    'webhook-signature': `v1a,${values.sign ? signed(body) : signature}`,
  }
  const { statusCode, body: answer } = await pool.request({ path, method: 'POST', headers, body })
  await answer.dump()
  if (statusCode > 299) {
    process.stderr.write(`bench: "${path}" answered ${statusCode}\n`)
    process.exit(1)
  }
}

/** As a receiver could verify it. */
function signed(body: string): string {
  return sign(null, Buffer.from(`${id}.${seconds}.${body}`), privateKey).toString('base64')
}

function toMessage(report: string): string {
  return `{"name":"position_report","version":"1.0","positionReport":${report}}`
}
