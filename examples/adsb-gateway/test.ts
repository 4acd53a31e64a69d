/** Plays a receiver: three snapshots, of which the second repeats the positions of the first. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const startSeconds = Date.now() / 1_000
const aircraft = [
  {
    hex: '461f9c',
    flight: 'FIN5LA  ',
    alt_baro: 26_450,
    gs: 455,
    track: 296,
    baro_rate: 1_088,
    lat: 61.111,
    lon: 22.4898,
  },
  { hex: '461e1a', alt_baro: 'ground', gs: 0, lat: 60.310321, lon: 24.942251 },
  { hex: '~2b0d0d', type: 'tisb_trackfile', alt_baro: 4_025, lat: 60.5, lon: 25.1 },
  { hex: '4677f4', seen: 1 },
]
const snapshots = [
  { now: startSeconds, aircraft: aircraft.map((one) => ({ ...one, seen_pos: 0.5 })) },
  { now: startSeconds + 1, aircraft: aircraft.map((one) => ({ ...one, seen_pos: 1.5 })) },
  { now: startSeconds + 2, aircraft: aircraft.map((one) => ({ ...one, seen_pos: 0.1 })) },
]

let asked = 0
const receiver = createServer((_, response) => {
  const snapshot = snapshots[Math.min(asked, snapshots.length - 1)]
  asked += 1
  response.end(JSON.stringify(snapshot))
  // The agent has read all three, and asks again.
  if (asked > snapshots.length) gateway.kill('SIGTERM')
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
// A listening server has an address with a port.
const { port } = receiver.address() as AddressInfo

const folder = await mkdtemp(join(tmpdir(), 'adsb-gateway-'))
const gateway = spawn(process.execPath, ['gateway.ts'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, AIRCRAFT_JSON: `http://127.0.0.1:${port}/data/aircraft.json`, SPOOL: join(folder, 'spool') },
})
const [said] = await Promise.all([text(gateway.stdout), once(gateway, 'exit')])
receiver.close()
await rm(folder, { recursive: true })

// Three aircraft have a position, reported for the first and the third snapshot.
assert.equal(said, '6 accepted, 0 wait in the spool\n')
console.log('ok')
