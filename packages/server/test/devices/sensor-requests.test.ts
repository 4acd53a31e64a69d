import type { Device, DeviceList, Problem, SensorRequestList } from '@posrep/spec'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry, toDeviceRecord } from '../../src/devices/registry.ts'
import { createSensorRequests } from '../../src/devices/sensor-requests.ts'
import type { Client } from '../../src/ports/storage/directory.ts'
import { aServer, rival, roof1, type ServerUnderTest } from '../a-server.ts'
import { aRequest } from '../admin/an-administration.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await aServer()
})
afterAll(() => server.stop())

async function ask(sensors: object[], { user, on = server }: { user?: typeof rival; on?: ServerUnderTest } = {}) {
  const response = await on.post('/v1/sensor-requests', await on.userToken(user), { sensors })
  return { status: response.status, body: (await response.json()) as SensorRequestList & Problem }
}

async function listed(user?: typeof rival, on = server): Promise<SensorRequestList['data']> {
  const response = await on.get('/v1/sensor-requests', await on.userToken(user))
  return ((await response.json()) as SensorRequestList).data
}

test('a requested sensor waits for the operator, and only its account sees the request', async () => {
  const { status, body } = await ask([{ clientUniqueId: 'new1', name: 'Mast', clientId: 'fleet' }])
  expect([status, body.data]).toEqual([
    201,
    [
      {
        id: expect.stringMatching(/^sr_/),
        clientUniqueId: 'new1',
        name: 'Mast',
        clientId: 'fleet',
        requestedAt: new Date(server.clock.now()).toISOString(),
        state: 'pending',
      },
    ],
  ])
  expect(await listed()).toEqual(body.data)
  expect(await listed(rival)).toEqual([])
})

test('a list with errors creates no request, and each error has a JSON Pointer', async () => {
  const before = await listed()
  const { status, body } = await ask([
    { clientUniqueId: 'good1', clientId: 'fleet' },
    { clientUniqueId: 'roof1', clientId: 'fleet' },
    { clientUniqueId: 'good1', clientId: 'fleet' },
    { clientUniqueId: 'new1', clientId: 'fleet' },
    { clientUniqueId: 'good2', clientId: 'rival' },
    { clientUniqueId: 'good-3', clientId: 'fleet' },
    { clientUniqueId: 'good4' },
  ])
  expect(status).toBe(400)
  expect(body.errors?.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual([
    '/sensors/1/clientUniqueId "roof1" is already registered',
    '/sensors/2/clientUniqueId "good1" is in the list twice',
    '/sensors/3/clientUniqueId "new1" is already requested',
    '/sensors/4/clientId "rival" is not a client application of this account',
    '/sensors/5/clientUniqueId "good-3" must be 1 to 255 letters and digits',
    expect.stringMatching(/^\/sensors\/6\/clientId must name one of the account's client applications: /),
  ])
  expect(await listed()).toEqual(before)
})

test('an account with one client application does not have to name it', async () => {
  expect((await ask([{ clientUniqueId: 'only1' }], { user: rival })).body.data[0]).toMatchObject({
    clientId: 'rival',
    name: 'only1',
  })
})

const aClient: Client = {
  id: 'fleet',
  secretHashes: [],
  name: 'Fleet',
  accountId: 'acme',
  grants: ['client_credentials'],
  redirectUris: [],
  scopes: [],
  urnPart: 'fleet',
  partner: false,
  disabled: false,
}

test('with open registration, the users of an account can register 10,000 sensors', async () => {
  const directory = createMemoryDirectory()
  await directory.insert('client', aClient)
  const registered = Array.from({ length: 9_999 }, (_, n) => toDeviceRecord({ client: aClient, localId: `s${n}` }, 0))
  await directory.insertAll('device', registered)
  const clock = createManualClock()
  const { create } = createSensorRequests({
    directory,
    devices: createDeviceRegistry({ directory, clock }),
    clock,
    sensorIdPolicy: 'strict',
    openRegistration: true,
    selfRegisteredAccounts: 0,
  })
  const user = { accountId: 'acme', userId: 'pilot' }

  const two = [{ clientUniqueId: 'new1' }, { clientUniqueId: 'new2' }]
  await expect(create(user, two)).rejects.toMatchObject({ code: 'too_many_requests' })
  expect(await create(user, two.slice(1))).toMatchObject([{ state: 'approved' }])
})

test('of the decided requests of an account, the newest 10,000 are kept', async () => {
  const directory = createMemoryDirectory()
  await directory.insert('client', aClient)
  const clock = createManualClock()
  // As IDs are made: newer requests have lower ones.
  const toId = (n: number) => `request-${String(10_000 - n).padStart(5, '0')}`
  const decided = Array.from({ length: 10_001 }, (_, n) =>
    aRequest({ id: toId(n), localId: `s${n}`, requestedAtMs: n, state: n % 2 === 0 ? 'approved' : 'refused' }),
  )
  await directory.insertAll('sensorRequest', [...decided, aRequest({ id: 'pending', localId: 'p', requestedAtMs: 0 })])
  const { create, list } = createSensorRequests({
    directory,
    devices: createDeviceRegistry({ directory, clock }),
    clock,
    sensorIdPolicy: 'strict',
    openRegistration: false,
    selfRegisteredAccounts: 0,
  })

  await create({ accountId: 'acme', userId: 'pilot' }, [{ clientUniqueId: 'new1' }])

  const kept: string[] = []
  for await (const requests of list('acme')) kept.push(...requests.map(({ id }) => id))
  expect(kept).toHaveLength(10_002)
  expect(kept).toContain('pending')
  expect(kept).not.toContain(toId(0))
})

test('the list of devices has all devices of the account, however many there are', async () => {
  const open = await aServer({ flags: { 'open-registration': true } })
  onTestFinished(() => open.stop())
  const sensors = Array.from({ length: 450 }, (_, n) => ({ clientUniqueId: `s${1_000 + n}`, clientId: 'rival' }))
  expect((await ask(sensors, { user: rival, on: open })).status).toBe(201)

  const response = await open.get('/v1/devices', await open.userToken(rival))
  const ids = ((await response.json()) as DeviceList).data.map(({ deviceId }) => deviceId)
  expect([ids.length, ids]).toEqual([451, ids.toSorted()])
})

test('with open registration, sensors are registered at once', async () => {
  const open = await aServer({ flags: { 'open-registration': true } })
  try {
    const { body } = await ask([{ clientUniqueId: 'new1', name: 'Mast' }], { user: rival, on: open })
    expect(body.data[0]?.state).toBe('approved')
    const device = await open.get('/v1/devices/urn:aa:device:rival:new1', await open.userToken(rival))
    expect([device.status, ((await device.json()) as Device).deviceName]).toEqual([200, 'Mast'])
  } finally {
    await open.stop()
  }
})

describe('a device', () => {
  const rename = async (deviceName: unknown, user?: typeof rival) =>
    server.fetch(`/v1/devices/${roof1}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${await server.userToken(user)}`, 'content-type': 'application/json' },
      body: JSON.stringify({ deviceName }),
    })

  test('can be renamed, and keeps its ID', async () => {
    const response = await rename('Roof, north <b>side</b> 🛰')
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { deviceId: roof1, deviceName: 'Roof, north <b>side</b> 🛰' },
    ])
    await rename('Roof')
  })

  test.each(['', 'a'.repeat(101), 'a\nb', null, 7])('cannot be renamed to %j', async (name) => {
    expect((await rename(name)).status).toBe(400)
  })

  test('has the tags that its user gave it, each once, and keeps its name', async () => {
    const change = async (body: unknown) =>
      server.fetch(`/v1/devices/${roof1}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${await server.userToken()}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })

    const changed = await change({ tags: ['north', 'mast', 'north'] })
    expect(await changed.json()).toMatchObject({ deviceName: 'Roof', tags: ['north', 'mast'] })
    await rename('Roof')
    expect(await (await change({})).json()).toMatchObject({ tags: ['north', 'mast'] })
    expect(await (await change({ tags: [] })).json()).toMatchObject({ tags: [] })
    expect((await change({ tags: ['two words'] })).status).toBe(400)
    expect((await change({ devicename: 'Mast', name: 'Mast' })).status).toBe(400)
    expect((await change({ devicename: 'Mast', tags: [] })).status).toBe(200)
  })

  test('of another account answers 404', async () => {
    expect((await rename('Mine', rival)).status).toBe(404)
  })
})
