import { describe, expect, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { acmeFleet, anAdministration, aRequest } from './an-administration.ts'

const roof1 = 'urn:aa:device:fleet:roof1'
const rivalRoof1 = 'urn:aa:device:rival-fleet:roof1'

test('a sensor is added to its client, and its name is by default its local ID', async () => {
  const { sensors } = await anAdministration()
  expect(await sensors.add({ localId: 'roof1', client: 'fleet' })).toEqual({
    urn: roof1,
    localId: 'roof1',
    name: 'roof1',
    client: 'fleet',
    account: 'acme',
    createdAt: '2026-01-07T06:22:45Z',
    blocked: false,
    relay: null,
    alsoIn: [],
  })
  await sensors.add({ localId: 'roof2', client: 'fleet', name: 'Roof' })
  await sensors.add({ localId: 'roof1', client: 'rival-fleet' })
  const names = async (options?: Parameters<typeof sensors.list>[0]) =>
    (await sensors.list(options)).map(({ name }) => name)
  expect(await names({ account: 'acme' })).toEqual(['roof1', 'Roof'])
  expect(await names({ client: 'rival-fleet' })).toEqual(['roof1'])
  expect(await names({ client: 'rival-fleet', account: 'acme' })).toEqual([])
  expect(await names()).toHaveLength(3)
})

test('a local ID belongs to one sensor of the account, for all clients', async () => {
  const { sensors, clients } = await anAdministration()
  await clients.add({ ...acmeFleet, id: 'other' })
  await sensors.add({ localId: 'roof1', client: 'fleet' })
  await expect(sensors.add({ localId: 'roof1', client: 'other' })).rejects.toMatchObject({
    code: 'taken',
    message: `Nothing was registered: the sensor "roof1" is already registered in the account "acme", as "${roof1}" of client "fleet"`,
  })
  await expect(sensors.add({ localId: 'roof2', client: 'nobody' })).rejects.toThrow('There is no client "nobody"')
})

test('a sensor is found by its URN, or by a local ID that only one account has', async () => {
  const { sensors } = await anAdministration()
  await sensors.add({ localId: 'roof1', client: 'fleet' })
  expect(await sensors.rename('roof1', 'Tower')).toMatchObject({ urn: roof1, name: 'Tower' })

  await sensors.add({ localId: 'roof1', client: 'rival-fleet' })
  await expect(sensors.rename('roof1', 'Roof')).rejects.toThrow(
    `Several accounts have a sensor "roof1"; name it by its URN, such as "${roof1}" or "${rivalRoof1}"`,
  )
  expect(await sensors.rename(rivalRoof1, 'Mast')).toMatchObject({ account: 'rival', name: 'Mast' })
  await expect(sensors.rename('roof9', 'Roof')).rejects.toThrow('There is no sensor "roof9"')
  await expect(sensors.rename('urn:aa:device:x:y', 'Roof')).rejects.toThrow('There is no sensor "urn:aa:device:x:y"')
})

test('blocking and removing a sensor revoke its tokens; unblocking and renaming do not', async () => {
  const { sensors, revoked, removedSensors } = await anAdministration()
  await sensors.add({ localId: 'roof1', client: 'fleet' })
  expect(await sensors.block('roof1')).toMatchObject({ blocked: true })
  expect(await sensors.unblock('roof1')).toMatchObject({ blocked: false })
  await sensors.rename('roof1', 'Tower')
  expect(revoked).toEqual([`device:${roof1}`])

  await sensors.remove('roof1')
  expect(revoked).toEqual([`device:${roof1}`, `device:${roof1}`])
  expect(removedSensors).toEqual([roof1])
  expect(await sensors.list()).toEqual([])
  expect(await sensors.add({ localId: 'roof1', client: 'fleet' })).toMatchObject({ blocked: false })
})

describe('a sensor request', () => {
  test('is listed until it is decided, oldest first, with the other accounts that have the local ID', async () => {
    const { requests, sensors, directory } = await anAdministration()
    await sensors.add({ localId: 'roof1', client: 'rival-fleet' })
    await directory.insert('sensorRequest', aRequest())
    await directory.insert(
      'sensorRequest',
      aRequest({ id: 'request-0', localId: 'roof2', requestedAtMs: currentTimeMs() }),
    )
    await directory.insert('sensorRequest', aRequest({ id: 'request-2', state: 'refused', requestedAtMs: 0 }))

    expect((await requests.list()).map(({ id, alsoIn }) => [id, alsoIn])).toEqual([
      ['request-1', ['rival']],
      ['request-0', []],
    ])
    expect((await requests.list({ all: true })).map(({ id }) => id)).toEqual(['request-2', 'request-1', 'request-0'])
  })

  test('shows the e-mail address of the user', async () => {
    const { requests, users, directory } = await anAdministration()
    const { id } = await users.add({ email: 'pilot@example.com', password: 'correct horse 42', account: 'acme' })
    await directory.insert('sensorRequest', aRequest({ requestedBy: id }))
    expect(await requests.list()).toMatchObject([
      { requestedBy: 'pilot@example.com', requestedAt: '2026-01-07T06:00:00Z', state: 'pending' },
    ])
  })

  test('registers its sensor when it is approved, and can be approved once', async () => {
    const { requests, sensors, directory } = await anAdministration()
    await directory.insert('sensorRequest', aRequest())
    expect(await requests.approve('request-1')).toMatchObject({ urn: roof1, name: 'Roof', account: 'acme' })
    expect(await sensors.list()).toHaveLength(1)
    expect(await requests.list()).toEqual([])
    await expect(requests.approve('request-1')).rejects.toThrow('The request "request-1" is already approved')
    await expect(requests.refuse('request-1')).rejects.toThrow('The request "request-1" is already approved')
  })

  test('registers no sensor when it is refused', async () => {
    const { requests, sensors, directory } = await anAdministration()
    await directory.insert('sensorRequest', aRequest())
    expect(await requests.refuse('request-1')).toMatchObject({ state: 'refused' })
    expect(await sensors.list()).toEqual([])
    await expect(requests.approve('request-1')).rejects.toThrow('The request "request-1" is already refused')
    await expect(requests.refuse('request-9')).rejects.toThrow('There is no request "request-9"')
  })

  test('can be approved again after an interrupted approval', async () => {
    const { requests, sensors, directory } = await anAdministration()
    await directory.insert('sensorRequest', aRequest())
    await sensors.add({ localId: 'roof1', client: 'fleet' })
    expect(await requests.approve('request-1')).toMatchObject({ urn: roof1 })
    expect(await requests.list()).toEqual([])
  })

  test.each([
    ['another account’s client', { clientId: 'rival-fleet' }, 'does not belong to the requesting account "acme"'],
    ['an invalid local ID', { localId: 'roof 1' }, 'must be 1 to 255 letters and digits'],
    ['an unknown client', { clientId: 'nobody' }, 'There is no client "nobody"'],
  ])('is not approved if it names %s', async (_what, part, message) => {
    const { requests, sensors, directory } = await anAdministration()
    await directory.insert('sensorRequest', aRequest(part))
    await expect(requests.approve('request-1')).rejects.toThrow(message)
    expect(await sensors.list()).toEqual([])
    expect(await requests.list()).toHaveLength(1)
  })

  test('cannot be approved if another client of the account has the local ID', async () => {
    const { requests, sensors, clients, directory } = await anAdministration()
    await clients.add({ ...acmeFleet, id: 'second' })
    await sensors.add({ localId: 'roof1', client: 'second' })
    await directory.insert('sensorRequest', aRequest())
    await expect(requests.approve('request-1')).rejects.toThrow(
      'The request cannot be approved: the sensor "roof1" is already registered in the account "acme"',
    )
  })
})
