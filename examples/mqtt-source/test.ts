/** Runs a broker, publishes two positions and one message that is none. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Aedes } from 'aedes'
import { connectAsync } from 'mqtt'

const broker = await Aedes.createBroker()
const server = createServer(broker.handle).listen(0, '127.0.0.1')
await once(server, 'listening')
// A listening server has an address with a port.
const url = `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`

const folder = await mkdtemp(join(tmpdir(), 'mqtt-source-'))
const gateway = spawn(process.execPath, ['gateway.ts'], {
  stdio: ['ignore', 'pipe', 'pipe'],
  env: { ...process.env, BROKER: url, SPOOL: join(folder, 'spool') },
})
const lines: string[] = []
const reader = createInterface({ input: gateway.stdout }).on('line', (line) => lines.push(line))
const complaints = createInterface({ input: gateway.stderr })
const ended = once(reader, 'close')
while (!lines.includes('subscribed')) await once(reader, 'line')

const publisher = await connectAsync(url)
const position = (id: string) =>
  JSON.stringify({ id, sourceTimeStamp: new Date().toISOString(), position: { lat: 60.3172, lon: 24.9633 } })
for (const message of [position('a'), position('b'), 'hello'])
  await publisher.publishAsync('positions', message, { qos: 1 })
// Messages of a topic are handled in their order, so the positions are stored when the last one is refused.
const [complaint] = await once(complaints, 'line')
gateway.kill('SIGTERM')
await ended

await publisher.endAsync()
await new Promise<void>((resolve) => broker.close(() => resolve()))
server.close()
await rm(folder, { recursive: true })

assert.match(String(complaint), /^positions: positions\[0\] is not JSON: hello/)
assert.equal(lines.at(-1), '2 accepted, 1 unusable')
console.log('ok')
