import { expect, test } from 'vitest'
import { createManualClock } from '../src/contracts/manual-clock.ts'
import { createDeviceTools } from '../src/device-tools.ts'
import { createDeviceRegistry } from '../src/devices/registry.ts'
import { createPairingRequests } from '../src/pairing/pairing-request.ts'
import { createDroppedDeliveries } from '../src/relays/dropped-deliveries.ts'
import { memoryStorage } from '../src/storage.ts'
import { silentLogger } from './a-server.ts'
import { aCertificate, aRelay } from './relays/a-relay.ts'

const client = {
  name: 'Fleet',
  secretHashes: [],
  grants: [],
  redirectUris: [],
  scopes: [],
  partner: false,
  disabled: false,
}
const roof1 = 'urn:aa:device:acme:roof1'

async function theTools({ allowPrivateRelays = true, extraCa = '' } = {}) {
  const clock = createManualClock()
  const { directory, store, deliveryLog } = memoryStorage({ clock })
  const devices = createDeviceRegistry({ directory, clock })
  for (const id of ['acme', 'other', 'empty']) await directory.insert('account', { id, name: id })
  for (const [account, localId] of [
    ['acme', 'roof1'],
    ['acme', 'shared'],
    ['other', 'shared'],
  ] as const) {
    await devices.register({ client: { ...client, id: account, accountId: account, urnPart: account }, localId })
  }
  const settings = { allowPrivateRelays, relayPorts: [] }
  const tools = createDeviceTools({ directory, store, deliveryLog, devices, clock, settings, extraCa })
  return { ...tools, clock, store, devices, deliveryLog, pairingRequests: createPairingRequests({ store, clock }) }
}

test('devices are listed with their relays and what is owed to those', async () => {
  const { list, setRelay, deliveryLog } = await theTools()
  await setRelay('roof1', 'https://relay.example.net/', 'inactive')
  await deliveryLog.append([{ line: roof1, body: 'msg_1 1\n{}' }])

  expect((await list()).map(({ urn }) => urn)).toEqual([
    roof1,
    'urn:aa:device:acme:shared',
    'urn:aa:device:other:shared',
  ])
  expect((await list({ account: 'acme' }))[0]).toEqual({
    urn: roof1,
    localId: 'roof1',
    name: 'roof1',
    account: 'acme',
    storesReports: true,
    relay: { url: 'https://relay.example.net/', state: 'Inactive', failureDescription: null },
    pending: 1,
    buried: 0,
    dropped: 0,
    firstDroppedAt: null,
    lastDroppedAt: null,
  })
})

test('a device shows how many messages its relay was not sent, and a new address begins anew', async () => {
  const { list, setRelay, clock, store } = await theTools()
  const { note, stop } = createDroppedDeliveries({ store, clock, meter: { dropped() {} }, logger: silentLogger })
  await setRelay(roof1, 'https://relay.example.net/', 'inactive')
  note(roof1, 'https://relay.example.net/', 7)
  await stop()

  const droppedAt = new Date(clock.now()).toISOString()
  expect((await list())[0]).toMatchObject({ dropped: 7, firstDroppedAt: droppedAt, lastDroppedAt: droppedAt })
  expect(await setRelay(roof1, 'https://other.example.net/', 'inactive')).toMatchObject({ dropped: 0 })
})

test('an account without devices has an empty list, and an unknown one is told', async () => {
  const { list } = await theTools()
  expect(await list({ account: 'empty' })).toEqual([])
  await expect(list({ account: 'nobody' })).rejects.toThrow('There is no account "nobody"')
})

test('a relay that gives its consent becomes Active, one that does not is Failed with the reason', async () => {
  const certificate = await aCertificate(['localhost'])
  const consent = await aRelay(
    certificate,
    (_request, response, body) => response.end(JSON.parse(body).validationCode),
    { name: 'localhost' },
  )
  const silent = await aRelay(certificate, undefined, { name: 'localhost' })
  const { setRelay } = await theTools({ extraCa: certificate.ca })

  expect((await setRelay(roof1, consent.url.href, 'active')).relay?.state).toBe('Active')
  expect(consent.requests[0]?.headers).toHaveProperty('webhook-signature')
  expect((await setRelay(roof1, silent.url.href, 'active')).relay).toMatchObject({
    state: 'Failed',
    failureDescription: 'The relay answered the validation without the validation code',
  })
})

test('an address that the server would refuse is refused', async () => {
  const { setRelay, list } = await theTools({ allowPrivateRelays: false })
  await expect(setRelay(roof1, 'http://relay.example/', 'inactive')).rejects.toThrow(/must be an "https:\/\/" URL$/)
  await expect(setRelay(roof1, 'https://127.0.0.1/', 'inactive')).rejects.toThrow(
    'must name a host, not an IP address; with "--allow-private-relays" this command takes it, too',
  )
  expect((await list())[0]?.relay).toBeNull()
})

test('pairing opens the window that the device finds', async () => {
  const { pair, pairingRequests, clock } = await theTools()
  const { id, clientUniqueId, expiresAt } = await pair('roof1')
  expect([clientUniqueId, Date.parse(expiresAt) - clock.now()]).toEqual(['roof1', 60_000])
  expect((await pairingRequests.consume('roof1', { address: '127.0.0.1', userAgent: null }))?.id).toBe(id)
})

test('a local ID of two accounts has to be named by its URN, and an unknown one is told', async () => {
  const { pair } = await theTools()
  await expect(pair('shared')).rejects.toThrow('name one by its URN: urn:aa:device:acme:shared, urn:aa:device:other')
  await expect(pair('nobody')).rejects.toThrow('There is no device "nobody"')
})
