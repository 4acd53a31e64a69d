/**
 * Runs in a network namespace where this machine has a public address, a private one and the name server: the name of a
 * relay changes to the private address after the relay is set. In: the two addresses. Out: one line of JSON with the
 * observations.
 */
import { once } from 'node:events'
import https from 'node:https'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { until } from '../../testing/real-time.ts'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, seed } from '../parts/seed.ts'
import { aServerLocation, launchServer, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'
import { startNameServer } from './name-server.ts'

export interface Seen {
  stateWhenSet: string | undefined
  /** Ids of reports, in the order in which the relay received them. */
  taken: string[]
  /** Attempts of the message that waits while the name has the private address. */
  reason: string | null
  whenSetAgain: { state: string | undefined; failureDescription: string | null | undefined }
  /** Number of connections to the private address. */
  inside: number
}

const [publicAddress = '', privateAddress = ''] = process.argv.slice(2)
const relayUrl = 'https://relay.example.net/positions'

const names = await startNameServer()
names.say(publicAddress)

let inside = 0
const canary = createServer((socket) => {
  inside++
  socket.destroy()
})
await once(canary.listen(443, privateAddress), 'listening')

// The certificate of a server is valid for all of its origins; the relay uses that of a server of its own.
const issuingLocation = await aServerLocation()
const issuing = await startServer(issuingLocation, '--ui-origin', new URL(relayUrl).origin)
const { certificate, ready } = issuing
await issuing.stop()
const location = await aServerLocation(seed)
const server = await launchServer(location, {
  flags: ['--seed', join(location.folder, 'seed.json')],
  environment: { NODE_EXTRA_CA_CERTS: ready.caFile },
}).ready
trust(server.certificate.ca)

const taken: string[] = []
const relay = https.createServer(certificate, async (request, response) => {
  const { validationCode, positionReport } = JSON.parse(Buffer.concat(await request.toArray()).toString())
  if (positionReport) taken.push(positionReport.positions[0].id)
  response.end(validationCode)
})
await once(relay.listen(443, publicAddress), 'listening')

const user = await aUser(server)
const sensor = await aSensor({ origin: server.ready.origin, ca: server.certificate.ca })
const set = () => user.updateRelay(deviceUrn, { url: relayUrl, state: 'Active' })
const waiting = async () => (await user.listDeliveries(deviceUrn, { state: 'pending' })).data[0]

const stateWhenSet = (await set()).relayDetails?.state
await sensor.submit(aReportText('before'))
await until('the relay has the first report', () => taken.includes('before'))

names.say(privateAddress)
relay.closeAllConnections()
await sensor.submit(aReportText('while'))
await until('two attempts have ended', async () => ((await waiting())?.attemptCount ?? 0) >= 2)
const reason = (await waiting())?.reason ?? null
const turned = await user.updateRelay(deviceUrn, { url: relayUrl, state: 'Active' })
const { state, failureDescription } = turned.relayDetails ?? {}

names.say(publicAddress)
await set()
await until('the relay has the second report', () => taken.includes('while'))

const seen: Seen = { stateWhenSet, taken, reason, whenSetAgain: { state, failureDescription }, inside }
process.stdout.write(`${JSON.stringify(seen)}\n`)
sensor.close()
await server.stop()
relay.close()
canary.close()
names.stop()
await location.remove()
await issuingLocation.remove()
