import { describe, expect, test } from 'vitest'
import { sensorRequests as requestAdmin } from '../../src/admin/sensors/sensor-requests.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import { createSensorRequests } from '../../src/devices/sensor-requests.ts'
import { storages } from '../identity/stores.ts'

const asking = { accountId: 'new-account', userId: 'user-1' }
const rules = { sensorIdPolicy: 'strict', allowLoopbackRedirects: false } as const

describe.each(storages)('over $name', ({ open }) => {
  async function anAccountWithoutClients({ openRegistration = false, selfRegisteredAccounts = 100 } = {}) {
    const clock = createManualClock()
    const { directory } = await open({ clock })
    await directory.insert('account', { id: asking.accountId, name: 'me@example.com' })
    const devices = createDeviceRegistry({ directory, clock })
    const options = { openRegistration, selfRegisteredAccounts }
    const requests = createSensorRequests({ directory, devices, clock, sensorIdPolicy: 'strict', ...options })
    return {
      directory,
      requests,
      /** Requests a sensor for an account of that name; returns the state of the request. */
      async asks(accountId: string, clientUniqueId: string) {
        await directory.insert('account', { id: accountId, name: accountId })
        const [request] = await requests.create({ accountId, userId: accountId }, [{ clientUniqueId }])
        return request?.state
      },
      admin: requestAdmin({ directory, devices, clock, rules, audit: () => {} }),
      clients: () => directory.list('client', { where: { index: 'accountId', equals: asking.accountId } }),
    }
  }

  test('an account without a client gets one with its first sensor, and that client cannot request tokens', async () => {
    const { requests, clients } = await anAccountWithoutClients()
    const [request] = await requests.create(asking, [{ clientUniqueId: 'mast1' }])
    await requests.create(asking, [{ clientUniqueId: 'mast2' }])

    const [own, ...others] = await clients()
    expect([request?.clientId, others]).toEqual([own?.id, []])
    expect(own).toMatchObject({
      name: 'Sensors of me@example.com',
      secretHashes: [],
      grants: [],
      redirectUris: [],
      urnPart: expect.stringMatching(/^[A-Za-z0-9-]{1,40}$/),
    })
  })

  test('many first sensors requested concurrently belong to one client', async () => {
    const { requests, clients } = await anAccountWithoutClients({ openRegistration: true })
    const asked = await Promise.all(
      Array.from({ length: 20 }, (_, n) => requests.create(asking, [{ clientUniqueId: `mast${n}` }])),
    )

    expect(new Set(asked.flat().map(({ clientId }) => clientId)).size).toBe(1)
    expect(await clients()).toHaveLength(1)
  })

  test('with open registration, as many accounts without clients as are allowed can have sensors, others need approval', async () => {
    const { asks, directory } = await anAccountWithoutClients({
      openRegistration: true,
      selfRegisteredAccounts: 2,
    })
    expect([await asks('a', 'mast1'), await asks('b', 'mast1'), await asks('a', 'mast2')]).toEqual(
      Array(3).fill('approved'),
    )

    expect([await asks('c', 'mast1'), await asks('c', 'mast2')]).toEqual(['pending', 'pending'])
    expect(await asks('b', 'mast2')).toBe('approved')
    for (const { id } of await directory.list('device', { where: { index: 'accountId', equals: 'b' } }))
      await directory.remove('device', id)
    expect(await asks('d', 'mast1')).toBe('approved')
  })

  test('an account with a client application of its own is not one of them', async () => {
    const { asks, directory } = await anAccountWithoutClients({ openRegistration: true, selfRegisteredAccounts: 0 })
    expect(await asks('a', 'mast1')).toBe('pending')
    const [own] = await directory.list('client', { where: { index: 'accountId', equals: 'a' } })
    if (!own) throw new Error('No client')
    await directory.insert('client', { ...own, id: 'fleet', urnPart: 'fleet', grants: ['client_credentials'] })

    expect(await asks('a', 'mast2')).toBe('approved')
  })

  test('an operator can approve a sensor of that client', async () => {
    const { requests, admin, directory } = await anAccountWithoutClients()
    const [request] = await requests.create(asking, [{ clientUniqueId: 'mast1' }])

    const { urn } = await admin.approve(request?.id ?? '')
    expect(urn).toBe(`urn:aa:device:${request?.clientId}:mast1`)
    expect(await directory.find('device', urn)).toMatchObject({ accountId: asking.accountId, localId: 'mast1' })
  })

  test('a list with an error creates no client', async () => {
    const { requests, clients } = await anAccountWithoutClients()
    await expect(requests.create(asking, [{ clientUniqueId: 'mast-1' }])).rejects.toMatchObject({
      code: 'invalid_body',
    })
    expect(await clients()).toEqual([])
  })

  test('a disabled client takes no more sensors, and no other is created', async () => {
    const { requests, clients, directory } = await anAccountWithoutClients()
    const [request] = await requests.create(asking, [{ clientUniqueId: 'mast1' }])
    await directory.update('client', request?.clientId ?? '', (client) => ({ ...client, disabled: true }))

    await expect(requests.create(asking, [{ clientUniqueId: 'mast2' }])).rejects.toMatchObject({
      message: expect.stringMatching(/none that is enabled/),
    })
    expect(await clients()).toHaveLength(1)
  })

  test('a request is refused if another account has taken the id of the client', async () => {
    const { requests, clients, directory } = await anAccountWithoutClients()
    await requests.create(asking, [{ clientUniqueId: 'mast1' }])
    const [own] = await clients()
    if (!own) throw new Error('No client')
    await directory.remove('client', own.id)
    await directory.insert('client', { ...own, accountId: 'rival' })

    await expect(requests.create(asking, [{ clientUniqueId: 'mast2' }])).rejects.toMatchObject({ code: 'invalid_body' })
  })
})
