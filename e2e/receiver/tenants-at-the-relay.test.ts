/** Two accounts of one service, each with a sensor of the same local ID, and a relay that belongs to one of them. */
import { expect, onTestFinished, test } from 'vitest'
import { until } from '../../testing/real-time.ts'
import { aRelay } from '../parts/a-relay.ts'
import { aReportText, aSensor } from '../parts/a-sensor.ts'
import { aUser } from '../parts/a-user.ts'
import { deviceUrn, pilot, seed } from '../parts/seed.ts'
import { aServerLocation, startServer } from '../parts/server-process.ts'
import { trust } from '../parts/trust.ts'

const stranger = { email: 'stranger@example.com', password: 'another horse 43' }
const strangersDevice = 'urn:aa:device:mallory:roof1'
const strangersClient = {
  id: 'mallory',
  secret: 's3cret-mallory',
  name: 'Mallory',
  account: 'mallory',
  urnPart: 'mallory',
  grants: ['client_credentials', 'refresh_token'],
  scopes: ['surveillance_api'],
}
const twoAccounts = {
  accounts: [...seed.accounts, { id: 'mallory', name: 'Mallory' }],
  users: [...seed.users, { ...stranger, account: 'mallory' }],
  clients: [...seed.clients, strangersClient],
  sensors: [...seed.sensors, { localId: 'roof1', client: 'mallory', name: 'Roof' }],
}

test('a relay that names its client part accepts reports of its devices, and a stranger cannot make it Active for another device', async () => {
  const location = await aServerLocation(twoAccounts)
  onTestFinished(location.remove)
  const server = await startServer(location, '--seed', `${location.folder}/seed.json`, '--allow-private-relays')
  onTestFinished(() => server.kill())
  const { ready, certificate } = server
  trust(certificate.ca)
  const relay = await aRelay({
    ...certificate,
    from: ready.authOrigin,
    clientParts: ['acme'],
  })
  onTestFinished(relay.stop)

  const owner = await aUser(server, pilot)
  const other = await aUser(server, stranger)
  const own = await owner.updateRelay(deviceUrn, { url: relay.url, state: 'Active' })
  const foreign = await other.updateRelay(strangersDevice, { url: relay.url, state: 'Active' })

  expect(own.relayDetails?.state).toBe('Active')
  expect(foreign.relayDetails).toMatchObject({
    state: 'Failed',
    failureDescription: 'The relay answered the validation with 403',
  })
  const sensor = await aSensor({ origin: ready.origin, ca: certificate.ca })
  onTestFinished(() => sensor.close())
  expect((await sensor.submit(aReportText('roof1:1'))).status).toBe(202)
  await until('the report has arrived', () => relay.received.length > 0)
  expect(relay.received[0]?.delivery).toMatchObject({ device: deviceUrn, verified: true })
})
