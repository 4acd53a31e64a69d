import type { PairingToken, Problem } from '@posrep/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sensorAdmin } from '../../src/admin/sensors/sensor-admin.ts'
import { sensorRequests } from '../../src/admin/sensors/sensor-requests.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry, toDeviceRecord } from '../../src/devices/registry.ts'
import type { AuditEvent } from '../../src/identity/audit.ts'
import { createPairingRequests } from '../../src/pairing/pairing-request.ts'
import type { Client, Directory } from '../../src/ports/storage/directory.ts'
import { aServer, rival } from '../a-server.ts'
import { aRequest } from '../admin/an-administration.ts'
import { storages } from '../identity/stores.ts'
import { aPortalVisitor } from '../portal/a-portal-visitor.ts'

const dayMs = 24 * 60 * 60_000

function aClient(account: string): Client {
  return {
    id: account,
    name: account,
    accountId: account,
    secretHashes: [],
    grants: [],
    redirectUris: [],
    scopes: [],
    urnPart: account,
    partner: false,
    disabled: false,
  }
}

describe.each(storages)('over $name', ({ open }) => {
  async function theAccounts() {
    const clock = createManualClock()
    const { store, directory } = await open({ clock })
    const devices = createDeviceRegistry({ directory, clock })
    for (const id of ['acme', 'rival']) await directory.insert('client', aClient(id))
    const audited: AuditEvent[] = []
    const audit = (event: AuditEvent) => audited.push(event)
    const pairing = createPairingRequests({ store, devices, clock, audit })
    const rules = { sensorIdPolicy: 'strict', allowLoopbackRedirects: false } as const
    const asking = { address: '198.51.100.7', userAgent: null }
    const pair = async (urn: string) => {
      const device = await devices.find(urn)
      if (!device) throw new Error(`"${urn}" is not registered`)
      return pairing.start(device).then(
        ({ deviceUrn }) => `${deviceUrn} is pending`,
        ({ code }) => code,
      )
    }
    return {
      clock,
      devices,
      directory,
      audited,
      pair,
      /** Registers the sensor without an operator and returns its URN. */
      async registers(account: string, localId = 'roof1') {
        await clock.advance(1_000)
        return (await devices.registerItself({ client: aClient(account), localId })).id
      },
      consume: async () => (await pairing.consume('roof1', asking))?.deviceUrn,
      admin: sensorAdmin({ directory, devices, clock, revoke: async () => {}, audit }),
      requests: sensorRequests({ directory, devices, clock, rules, audit }),
    }
  }

  test('a sensor that registers itself under the local ID of another account cannot be paired, its first owner can', async () => {
    const { registers, pair, consume, audited } = await theAccounts()
    const first = await registers('acme')
    const second = await registers('rival')

    expect(await pair(second)).toBe('pairing_not_allowed')
    expect(audited).toEqual([{ event: 'pairing-refused', deviceUrn: second, earlierUrn: first }])
    expect(await consume()).toBeUndefined()
    expect(await pair(first)).toBe(`${first} is pending`)
    expect(await pair(second)).toBe('pairing_not_allowed')
    expect(await consume()).toBe(first)
  })

  test('a sensor that an operator registered is the first owner, too', async () => {
    const { admin, registers, pair } = await theAccounts()
    const { urn } = await admin.add({ client: 'acme', localId: 'roof1' })
    expect(await pair(await registers('rival'))).toBe('pairing_not_allowed')
    expect(await pair(urn)).toBe(`${urn} is pending`)
  })

  test('of 10 accounts that register a local ID at the same moment, one can pair its sensor', async () => {
    const { devices, pair } = await theAccounts()
    const registered = await Promise.all(
      Array.from({ length: 10 }, (_, n) => devices.registerItself({ client: aClient(`a${n}`), localId: 'roof1' })),
    )
    expect(registered.map(({ pairing }) => pairing).sort()).toEqual(['first', ...Array(9).fill('later')])
    const answers = await Promise.all(registered.map(({ id }) => pair(id)))
    expect(answers.filter((answer) => answer !== 'pairing_not_allowed')).toEqual([
      `${registered.find(({ pairing }) => pairing === 'first')?.id} is pending`,
    ])
  })

  test('a list of sensors is registered although another account registers one of them at the same moment', async () => {
    const { devices } = await theAccounts()
    const list = (account: string) => ['roof1', 'roof2'].map((localId) => ({ client: aClient(account), localId }))
    const answers = await Promise.all([
      devices.registerWithoutOperator(list('acme')),
      devices.registerWithoutOperator(list('rival')),
      devices.registerWithoutOperator(list('third').slice(1)),
    ])
    expect(answers).toEqual([[], [], []])
    const all = (await Promise.all(['acme', 'rival', 'third'].map((account) => devices.list(account)))).flat()
    for (const localId of ['roof1', 'roof2']) {
      expect(all.filter((device) => device.localId === localId && device.pairing === 'first')).toHaveLength(1)
    }
  })

  test('a sensor that registers itself while an operator registers its local ID for another account is not the first', async () => {
    const { directory, clock, pair } = await theAccounts()
    const theirs = toDeviceRecord({ client: aClient('rival'), localId: 'roof1' }, clock.now())
    const racing: Directory = {
      ...directory,
      async insertAll(kind, records) {
        await directory.insert('device', theirs)
        return directory.insertAll(kind, records)
      },
    }
    const racingDevices = createDeviceRegistry({ directory: racing, clock })
    await racingDevices.registerItself({ client: aClient('acme'), localId: 'roof1' })
    await racingDevices.registerWithoutOperator([{ client: aClient('third'), localId: 'roof1' }])

    expect(await pair('urn:aa:device:acme:roof1')).toBe('pairing_not_allowed')
    expect(await pair('urn:aa:device:third:roof1')).toBe('pairing_not_allowed')
    expect(await pair(theirs.id)).toBe(`${theirs.id} is pending`)
  })

  test('a sensor that registers itself while its local ID is imported for another account is not the first', async () => {
    const { directory, registers, pair, clock } = await theAccounts()
    const theirs = toDeviceRecord({ client: aClient('rival'), localId: 'roof1' }, clock.now())
    const lock = { id: 'current', importId: 'running', holder: 'running', aliveAtMs: clock.now() } as const
    await directory.insert('sensorImport', lock)
    await directory.insert('device', { ...theirs, importId: 'running' })
    const own = await registers('acme')
    expect(await directory.find('device', theirs.id)).toBeUndefined()

    expect(await pair(own)).toBe('pairing_not_allowed')
    await directory.remove('sensorImport', 'current')
    expect(await pair(own)).toBe('pairing_not_allowed')
    expect(await pair(theirs.id)).toBe(`${theirs.id} is pending`)
  })

  test('for 30 days after the first owner removed its sensor nobody else can pair it, then the next one can, and a newcomer cannot', async () => {
    const { registers, pair, admin, clock } = await theAccounts()
    const first = await registers('acme')
    const second = await registers('rival')
    await admin.remove(first)
    const third = await registers('third')

    for (const urn of [second, third]) expect(await pair(urn)).toBe('pairing_not_allowed')
    await clock.advance(30 * dayMs - 2_000)
    for (const urn of [second, third]) expect(await pair(urn)).toBe('pairing_not_allowed')
    await clock.advance(1_000)
    expect(await pair(third)).toBe('pairing_not_allowed')
    expect(await pair(second)).toBe(`${second} is pending`)
    expect(await pair(await registers('acme'))).toBe('pairing_not_allowed')
  })

  test('the first owner that removes its sensor and registers it again can pair it, and the one that registered meanwhile cannot', async () => {
    const { registers, pair, admin } = await theAccounts()
    const first = await registers('acme')
    const second = await registers('rival')
    await admin.remove(first)
    const third = await registers('third')

    const again = await registers('acme')

    for (const urn of [second, third]) expect(await pair(urn)).toBe('pairing_not_allowed')
    expect(await pair(again)).toBe(`${again} is pending`)
  })

  test('an owner that releases the local ID as it removes its sensor leaves it to the next one at once', async () => {
    const { registers, pair, admin } = await theAccounts()
    const first = await registers('acme')
    const second = await registers('rival')
    await admin.remove(first, { releases: true })

    expect(await pair(await registers('third'))).toBe('pairing_not_allowed')
    expect(await pair(second)).toBe(`${second} is pending`)
    expect(await pair(await registers('acme'))).toBe('pairing_not_allowed')
  })

  test('an operator allows the pairing before the 30 days have passed', async () => {
    const { registers, pair, admin, devices } = await theAccounts()
    const first = await registers('acme')
    const second = await registers('rival')
    await admin.remove(first)

    await devices.allowPairing(second)

    expect(await pair(second)).toBe(`${second} is pending`)
    // The sensor has changed hands: registering it again is no way back.
    expect(await pair(await registers('acme'))).toBe('pairing_not_allowed')
  })

  test('a sensor of an account that never had the right to its local ID blocks nobody after its removal', async () => {
    const { registers, pair, admin } = await theAccounts()
    const first = await registers('acme')
    const second = await registers('rival')
    const third = await registers('third')
    await admin.remove(second)
    await admin.remove(first, { releases: true })

    expect(await pair(third)).toBe(`${third} is pending`)
  })

  test.each(['first', 'allowed'] as const)(
    'the owner whose right is "%s" precedes a later one, even if it was registered with a clock that was ahead',
    async (pairing) => {
      const { clock, directory, registers, pair } = await theAccounts()
      const ahead = toDeviceRecord({ client: aClient('acme'), localId: 'roof1' }, clock.now() + 3_600_000)
      await directory.insert('device', { ...ahead, pairing })
      expect(await pair(await registers('rival'))).toBe('pairing_not_allowed')
      expect(await pair(ahead.id)).toBe(`${ahead.id} is pending`)
    },
  )

  test('an operator allows the pairing by adding the sensor or by approving its request, and the audit log has it', async () => {
    const { registers, pair, admin, requests, directory, audited } = await theAccounts()
    const first = await registers('acme')
    const added = await admin.add({ client: 'rival', localId: 'roof1' })
    expect(added.alsoIn).toEqual(['acme'])
    expect(await pair(added.urn)).toBe(`${added.urn} is pending`)
    await admin.remove(added.urn)

    await directory.insert('sensorRequest', aRequest({ accountId: 'rival', clientId: 'rival' }))
    const approved = await requests.approve('request-1')
    expect(approved.alsoIn).toEqual(['acme'])
    expect(await pair(approved.urn)).toBe(`${approved.urn} is pending`)
    const event = { event: 'pairing-allowed', deviceUrn: added.urn, otherUrns: [first] }
    expect(audited).toEqual([event, event])
  })

  test('approving a request allows the pairing of the sensor if it has registered itself meanwhile', async () => {
    const { registers, pair, requests, directory } = await theAccounts()
    await registers('acme')
    await directory.insert('sensorRequest', aRequest({ accountId: 'rival', clientId: 'rival' }))
    const second = await registers('rival')
    expect(await pair(second)).toBe('pairing_not_allowed')
    await requests.approve('request-1')
    expect(await pair(second)).toBe(`${second} is pending`)
  })

  test('the first owner keeps its right when an operator registers the local ID for another account', async () => {
    const { registers, pair, admin } = await theAccounts()
    const first = await registers('acme')
    await admin.add({ client: 'rival', localId: 'roof1' })
    expect(await pair(first)).toBe(`${first} is pending`)
  })

  test('an operator’s consent is for one sensor, and sensors with other local IDs need none', async () => {
    const { registers, pair, devices } = await theAccounts()
    await registers('acme')
    const [second, third, other] = [
      await registers('rival'),
      await registers('third'),
      await registers('third', 'roof2'),
    ]
    await devices.allowPairing(second)
    expect(await pair(third)).toBe('pairing_not_allowed')
    expect(await pair(other)).toBe(`${other} is pending`)
    expect(await pair(second)).toBe(`${second} is pending`)
  })
})

test('the API and the portal refuse to pair the sensor, say why and what to do, and both accounts can use client credentials', async () => {
  const server = await aServer({ flags: { 'open-registration': true } })
  onTestFinished(() => server.stop())
  const sensors = [{ clientUniqueId: 'roof2' }]
  expect((await server.post('/v1/sensor-requests', await server.userToken(rival), { sensors })).status).toBe(201)
  const urn = 'urn:aa:device:rival:roof2'
  const reason =
    'Another account had the local ID "roof2" before this sensor was registered, so an operator of this service has to allow its pairing: posrep-server devices allow-pairing urn:aa:device:rival:roof2'

  const refused = await server.post('/v1/pairing-requests', await server.userToken(rival), { deviceId: urn })
  expect([refused.status, ((await refused.json()) as Problem).detail]).toEqual([409, reason])
  const visitor = aPortalVisitor(server)
  await visitor.enter('/devices', rival)
  const page = await visitor.press(await visitor.get('/pairing/start?clientUniqueId=roof2'), 'Pair')
  expect(page.status).toBe(409)
  expect(page.html.replaceAll('&quot;', '"')).toContain(`<p>${reason}. Nothing was changed.</p>`)
  expect(page.html).toContain('Send this text to the operator of this server')

  const acmeRoof2 = 'urn:aa:device:fleet:roof2'
  expect((await server.post('/v1/pairing-requests', await server.userToken(), { deviceId: acmeRoof2 })).status).toBe(
    201,
  )
  const consumed = await server.fetch('/v1/pairing-tokens/consume-token?clientUniqueId=roof2', { method: 'POST' })
  expect(((await consumed.json()) as PairingToken).sensorId).toBe(acmeRoof2)
  for (const client of ['fleet', 'rival']) expect(await server.deviceToken(client, 'roof2')).toBeTruthy()
})
