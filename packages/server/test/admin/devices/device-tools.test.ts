import { expect, test, vi } from 'vitest'
import { createDeviceTools } from '../../../src/admin/devices/device-tools.ts'
import { memoryStorage } from '../../../src/composition/storage/storage.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { createDeviceRegistry, toDeviceRecord } from '../../../src/devices/registry.ts'
import type { AuditEvent } from '../../../src/identity/audit.ts'
import { createPairingRequests } from '../../../src/pairing/pairing-request.ts'
import type { RelayChanges } from '../../../src/ports/storage/relay-changes.ts'
import { createDroppedDeliveries } from '../../../src/relays/deliveries/dropped-deliveries.ts'
import { silentLogger } from '../../a-server.ts'
import { aCertificate, aRelay } from '../../relays/a-relay.ts'

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

async function theTools({
  allowPrivateRelays = true,
  extraCa = '',
  relayChanges,
}: {
  allowPrivateRelays?: boolean
  extraCa?: string
  relayChanges?: RelayChanges
} = {}) {
  const clock = createManualClock()
  const storage = memoryStorage({ clock })
  const { directory, store, deliveryLog } = storage
  const devices = createDeviceRegistry({ directory, clock })
  for (const id of ['acme', 'other', 'empty']) await directory.insert('account', { id, name: id })
  for (const [account, localId] of [
    ['acme', 'roof1'],
    ['acme', 'shared'],
    ['other', 'shared'],
  ] as const) {
    const owner = { ...client, id: account, accountId: account, urnPart: account }
    await directory.insert('device', toDeviceRecord({ client: owner, localId }, clock.now()))
  }
  const origin = 'https://posrep.example.org'
  const origins = { authOrigin: origin, ingestOrigin: origin, uiOrigin: undefined }
  const settings = { ...origins, allowPrivateRelays, relayPorts: [] }
  const audited: AuditEvent[] = []
  const audit = (event: AuditEvent) => audited.push(event)
  const tools = createDeviceTools({
    ...storage,
    relayChanges,
    devices,
    clock,
    audit,
    settings,
    extraCa,
  })
  const pairingRequests = createPairingRequests({ store, devices, clock })
  return { ...tools, storage, clock, store, devices, deliveryLog, audited, pairingRequests }
}

/** Keeps the validation waiting until `answer` is called, and gives its consent then. */
async function aSlowRelay() {
  const certificate = await aCertificate(['localhost'])
  const waiting = Promise.withResolvers<void>()
  const relay = await aRelay(
    certificate,
    async (_request, response, body) => {
      await waiting.promise
      response.end(JSON.parse(body).validationCode)
    },
    { name: 'localhost' },
  )
  return { ...relay, ca: certificate.ca, answer: waiting.resolve }
}

test('devices are listed with their relays and the messages that wait for those', async () => {
  const { list, setRelay, deliveryLog } = await theTools()
  await setRelay('roof1', 'https://relay.example.net/', 'inactive')
  await deliveryLog.append([{ queue: roof1, body: 'msg_1 1\n{}' }])

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
    tags: [],
    relay: { url: 'https://relay.example.net/', state: 'Inactive', failureDescription: null },
    pending: 1,
    buried: 0,
    dropped: 0,
    firstDroppedAt: null,
    lastDroppedAt: null,
    lastReportAt: null,
    mayBePaired: true,
  })
})

test('a device shows how many messages its relay was not sent, and a new address starts at none', async () => {
  const { list, setRelay, clock, store } = await theTools()
  const { record, stop } = createDroppedDeliveries({
    store,
    clock,
    findUrl: async () => undefined,
    meter: { dropped() {} },
    logger: silentLogger,
  })
  await setRelay(roof1, 'https://relay.example.net/', 'inactive')
  record(roof1, 'https://relay.example.net/', 7)
  await stop()

  const droppedAt = new Date(clock.now()).toISOString()
  expect((await list())[0]).toMatchObject({ dropped: 7, firstDroppedAt: droppedAt, lastDroppedAt: droppedAt })
  expect(await setRelay(roof1, 'https://other.example.net/', 'inactive')).toMatchObject({ dropped: 0 })
})

test('an account without devices has an empty list, and an unknown account is an error', async () => {
  const { list } = await theTools()
  expect(await list({ account: 'empty' })).toEqual([])
  await expect(list({ account: 'nobody' })).rejects.toThrow('There is no account "nobody"')
})

test('a relay that gives its consent becomes Active; one that does not changes nothing, and the reason and what to do are said', async () => {
  const certificate = await aCertificate(['localhost'])
  const consent = await aRelay(
    certificate,
    (_request, response, body) => response.end(JSON.parse(body).validationCode),
    { name: 'localhost' },
  )
  const missing = await aRelay(certificate, (_request, response) => response.writeHead(404).end(), {
    name: 'localhost',
  })
  const { setRelay, get } = await theTools({ extraCa: certificate.ca })
  const refusal = `The address "${missing.url}" did not pass the validation: The relay answered the validation with 404; correct the path of the address. Nothing was changed: the relay of "${roof1}"`

  await expect(setRelay(roof1, missing.url.href, 'active')).rejects.toThrow(`${refusal} is still none`)
  expect((await setRelay(roof1, consent.url.href, 'active')).relay?.state).toBe('Active')
  expect(consent.requests[0]?.headers).toHaveProperty('webhook-signature')
  await expect(setRelay(roof1, missing.url.href, 'active')).rejects.toThrow(
    `${refusal} stays Active: ${consent.url.href}`,
  )
  expect((await get(roof1)).relay).toMatchObject({ state: 'Active', url: consent.url.href })
})

test('a relay whose certificate is not trusted is refused with the flag that trusts its CA', async () => {
  const relay = await aRelay(await aCertificate(['localhost']), undefined, { name: 'localhost' })
  const { setRelay } = await theTools()
  await expect(setRelay(roof1, relay.url.href, 'active')).rejects.toThrow('"--relay-ca FILE"')
})

test('an update is announced to the servers, so that they give up what is on its way', async () => {
  const announced: string[] = []
  const relayChanges = { announce: async (queue: string) => void announced.push(queue), listen: () => {} }
  const { setRelay } = await theTools({ relayChanges })

  await setRelay(roof1, 'https://relay.example.net/', 'inactive')

  expect(announced).toEqual([roof1])
})

test('an address that the server would refuse is refused', async () => {
  const { setRelay, list } = await theTools({ allowPrivateRelays: false })
  await expect(setRelay(roof1, 'http://relay.example/', 'inactive')).rejects.toThrow(/must be an "https:\/\/" URL$/)
  await expect(setRelay(roof1, 'https://127.0.0.1/', 'inactive')).rejects.toThrow(
    'must name a host, not an IP address; with "--allow-private-relays" this command accepts it',
  )
  await expect(setRelay(roof1, 'https://posrep.example.org/', 'inactive')).rejects.toThrow(
    'must not lead to this service itself',
  )
  expect((await list())[0]?.relay).toBeNull()
})

test('an update is not undone by an earlier one whose validation takes longer', async () => {
  const slow = await aSlowRelay()
  const { setRelay, clock } = await theTools({ extraCa: slow.ca })
  const first = setRelay(roof1, slow.url.href, 'active')
  await vi.waitFor(() => expect(slow.requests).toHaveLength(1))
  await clock.advance(1)
  await setRelay(roof1, 'https://relay.example.net/', 'inactive')
  slow.answer()

  expect((await first).relay).toMatchObject({ url: 'https://relay.example.net/', state: 'Inactive' })
})

test('more than 60 updates of an account in a minute are refused, and those of other accounts pass', async () => {
  const { setRelay, clock } = await theTools()
  const update = (device: string) => setRelay(device, 'https://relay.example.net/', 'inactive')
  for (let n = 0; n < 60; n++) await update(n % 2 ? roof1 : 'urn:aa:device:acme:shared')

  await expect(update(roof1)).rejects.toThrow(
    'More than 60 relay updates, test messages and repetitions of this account in a minute',
  )
  expect((await update('urn:aa:device:other:shared')).relay?.state).toBe('Inactive')
  await clock.advance(60_000)
  expect((await update(roof1)).relay?.state).toBe('Inactive')
})

test('more than 8 validations of an account at a time are refused', async () => {
  const slow = await aSlowRelay()
  const { setRelay } = await theTools({ extraCa: slow.ca })
  const first = Array.from({ length: 8 }, () => setRelay(roof1, slow.url.href, 'active'))
  await vi.waitFor(() => expect(slow.requests).toHaveLength(8))

  await expect(setRelay(roof1, slow.url.href, 'active')).rejects.toThrow(
    '8 messages of this account wait for an answer',
  )
  slow.answer()
  await Promise.all(first)
})

test('pairing opens the window that the device finds', async () => {
  const { pair, pairingRequests, clock } = await theTools()
  const { id, clientUniqueId, expiresAt } = await pair('roof1')
  expect([clientUniqueId, Date.parse(expiresAt) - clock.now()]).toEqual(['roof1', 60_000])
  expect((await pairingRequests.consume('roof1', { address: '127.0.0.1', userAgent: null }))?.id).toBe(id)
})

test('a local ID of two accounts is refused with the URNs to choose from, and an unknown device is an error', async () => {
  const { pair } = await theTools()
  await expect(pair('shared')).rejects.toThrow('give the URN of one: urn:aa:device:acme:shared, urn:aa:device:other')
  await expect(pair('nobody')).rejects.toThrow('There is no device "nobody"')
})

test('a device whose local ID another account had first may be paired once an operator allows it, and the audit log has it', async () => {
  const { list, pair, allowPairing, devices, audited } = await theTools()
  const { id } = await devices.registerItself({
    client: { ...client, id: 'other', accountId: 'other', urnPart: 'other' },
    localId: 'roof1',
  })
  const mayBePaired = async () =>
    (await list()).map((device) => [device.urn, device.mayBePaired]).filter(([, may]) => !may)
  expect(await mayBePaired()).toEqual([[id, false]])
  await expect(pair(id)).rejects.toMatchObject({ code: 'pairing_not_allowed' })
  await expect(allowPairing('roof1')).rejects.toThrow('is the local ID of more than one device')

  expect(await allowPairing(id)).toMatchObject({ urn: id, mayBePaired: true })
  expect(await allowPairing(id)).toMatchObject({ urn: id, mayBePaired: true })
  expect(await pair(id)).toMatchObject({ urn: id })
  expect(await mayBePaired()).toEqual([])
  expect(audited).toEqual([
    { event: 'pairing-refused', deviceUrn: id, earlierUrn: roof1 },
    { event: 'pairing-allowed', deviceUrn: id, otherUrns: [roof1] },
  ])
})

test('a device shows when its newest report was received', async () => {
  const { get, storage, clock } = await theTools()
  expect(await get('roof1')).toMatchObject({ urn: roof1, lastReportAt: null })
  const entry = { seq: 1, receivedAtMs: clock.now(), report: '{}', positions: 1, tags: [] }
  const bound = { sinceMs: 0, limit: 10, maxBytes: 1_000, maxBytesOfClient: 1_000 }
  await storage.recentReports.append(roof1, [entry], bound)
  expect(await get('roof1')).toMatchObject({ lastReportAt: new Date(clock.now()).toISOString() })
})

test('a test message is sent to an Active relay and listed with the deliveries, and its answer is shown', async () => {
  const certificate = await aCertificate(['localhost'])
  let isRefusing = false
  const relay = await aRelay(
    certificate,
    (_request, response, body) => {
      response.statusCode = isRefusing ? 503 : 200
      response.end(JSON.parse(body).validationCode)
    },
    { name: 'localhost' },
  )
  const { setRelay, testRelay, storage } = await theTools({ extraCa: certificate.ca })
  await expect(testRelay('roof1')).rejects.toThrow(
    `The relay of "${roof1}" is not set; to set it: posrep-server devices relay set ${roof1} https://…`,
  )
  await setRelay('roof1', relay.url.href, 'active')

  expect(await testRelay('roof1')).toMatchObject({
    urn: roof1,
    url: relay.url.href,
    messageId: relay.requests.at(-1)?.headers['webhook-id'],
    accepted: true,
    status: 200,
    advice: null,
  })
  isRefusing = true
  expect(await testRelay('roof1')).toMatchObject({
    accepted: false,
    status: 503,
    reason: expect.stringContaining('503'),
    advice: expect.stringContaining('the log of the receiver'),
  })

  const recorded = await storage.recentDeliveries.list(roof1)
  expect(recorded.map(({ state }) => state)).toEqual(['buried', 'delivered'])
})

test('a wait for a pairing ends when the device gets its tokens, and says who got them', async () => {
  const { pair, awaitPairing, pairingRequests, clock } = await theTools()
  const pairing = await pair('roof1')
  const waiting = awaitPairing(pairing)
  await clock.advance(10_000)
  await pairingRequests.consume('roof1', { address: '192.0.2.7', userAgent: 'posrep-agent/1.0.0' })
  const at = new Date(clock.now()).toISOString()
  await clock.advance(1_000)

  expect(await waiting).toEqual({
    ...pairing,
    state: 'consumed',
    consumedBy: { address: '192.0.2.7', userAgent: 'posrep-agent/1.0.0', at },
  })
})

test('a wait for a pairing ends with the window, or with a newer request', async () => {
  const { pair, awaitPairing, clock } = await theTools()
  const first = awaitPairing(await pair('roof1'))
  await clock.advance(1_000)
  const second = awaitPairing(await pair('roof1'))
  await clock.advance(60_500)

  expect(await first).toMatchObject({ state: 'cancelled', consumedBy: null })
  expect(await second).toMatchObject({ state: 'expired', consumedBy: null })
})
