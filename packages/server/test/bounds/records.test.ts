/** Records of which a user, a sensor or a relay causes one each, however often; filled and one past it. */
import type { AirArea } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { createAirAreas } from '../../src/air/areas.ts'
import { createAirSnapshots } from '../../src/air/worker/snapshots.ts'
import { createAfterRemoval } from '../../src/composition/after-removal.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry, toDeviceRecord } from '../../src/devices/registry.ts'
import { createConsents } from '../../src/identity/people/consents.ts'
import type { Store } from '../../src/ports/storage/store.ts'
import { createDeliveryMetrics } from '../../src/relays/deliveries/delivery-metrics.ts'
import { createQueueFailures } from '../../src/relays/deliveries/queue-failures.ts'
import type { Attempted } from '../../src/relays/sender/attempt-delivery.ts'
import { validExample } from '../example-files.ts'
import { fullStorages } from '../full-storages.ts'
import { anIdentity, clients, deviceTokenRequest } from '../identity/an-identity.ts'
import { storages } from '../identity/stores.ts'

describe.each(storages)('on $name', ({ open }) => {
  test('a user has one consent per client, however often it is given', async () => {
    const clock = createManualClock()
    const { directory } = await open({ clock })
    const consents = createConsents({ directory, clock, endTokens: async () => {} })

    for (let n = 0; n < 20; n++) await consents.write('u', { clientId: 'c', scopes: ['surveillance_api'] })

    expect(await directory.count('consent')).toBe(1)
    expect((await consents.find('u', 'c'))?.consent.scopes).toEqual(['surveillance_api'])
  })

  test('a relay has one record of failures, with the last ten attempts', async () => {
    const clock = createManualClock()
    const { store } = await open({ clock })
    const failures = createQueueFailures({ store, retentionMs: 60_000 })
    const relay = { url: 'https://relay.example/', state: 'Active', failureDescription: null, sinceMs: 0 } as const
    for (let n = 0; n < 11; n++) {
      const attempt = {
        startedAtMs: n,
        durationMs: 1,
        url: relay.url,
        status: 500,
        outcome: 'retry',
        reason: 'no',
      } as const
      await failures.write('urn', await failures.add('urn', relay, 1, attempt))
    }

    const { head } = (await failures.read('urn')) ?? {}
    expect(head?.attempts.map(({ startedAtMs }) => startedAtMs)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('a partner has 100,000 sensors, and those that it has get tokens', async () => {
    const identity = await anIdentity({ open })
    const { directory } = identity
    const where = { index: 'accountId', equals: clients.partner.accountId }
    const missing = 99_999 - (await directory.count('device', { where }))
    const devices = Array.from({ length: missing }, (_, n) =>
      toDeviceRecord({ client: clients.partner, localId: `s${n}` }, 0),
    )
    for (let n = 0; n < missing; n += 500) await directory.insertAll('device', devices.slice(n, n + 500))
    const partner = { ...deviceTokenRequest, client_id: 'partner', client_secret: 's3cret-partner' }
    const ask = async (device_id: string) => (await identity.token({ ...partner, device_id })).status

    expect([await ask('new1'), await ask('new2'), await ask('new1')]).toEqual([200, 429, 200])
  })

  test('a device and its account have one record each of the last 61 minutes with deliveries', async () => {
    const clock = createManualClock()
    const { store } = await open({ clock })
    const keys = new Set<string>()
    const watched: Store = {
      ...store,
      replace(key, ...rest) {
        keys.add(key)
        return store.replace(key, ...rest)
      },
    }
    const logger = { warn() {} }
    const metrics = createDeliveryMetrics({ store: watched, clock, logger, windowMs: 60 * 60_000 })
    const outcome = { kind: 'accepted' } as const
    const attempted = { outcome, attempt: { durationMs: 1 } } as Attempted
    await clock.advance(30_000)
    for (let n = 0; n < 62; n++) {
      await clock.advance(60_000)
      metrics.record(attempted, { deviceUrn: 'urn', accountId: 'acme', appendedAtMs: clock.now() })
    }
    await metrics.stop()

    expect([...keys].sort()).toEqual(['delivery-minutes:account:acme', 'delivery-minutes:device:urn'])
    for (const key of keys) expect(await store.get(key)).toHaveLength(61)
  })

  test('an account has one record of areas, however often they are replaced', async () => {
    const { directory } = await open({ clock: createManualClock() })
    const areas = createAirAreas({ directory, inbox: { appendAreas: async () => {} } })
    const area: AirArea = JSON.parse(validExample('AirArea'))

    for (const id of ['a', 'b', 'c'])
      await areas.set('acme', { type: 'FeatureCollection', features: [{ ...area, id }] })

    expect(await directory.count('airAreas')).toBe(1)
    expect((await areas.get('acme')).features).toMatchObject([{ id: 'c' }])
  })

  test('an account has one snapshot of its air picture, and the parts of the one before are deleted', async () => {
    const { store } = await open({ clock: createManualClock() })
    const keys = new Set<string>()
    const watched: Store = {
      ...store,
      put(key, ...rest) {
        keys.add(key)
        return store.put(key, ...rest)
      },
    }
    const snapshots = createAirSnapshots({ store: watched })
    let head = await snapshots.takeOver('acme', undefined)
    for (let seq = 1; seq <= 3; seq++) {
      if (!head) throw new Error('Another process holds the picture')
      head = await snapshots.save('acme', head, { parts: ['a', 'b'], seq })
    }

    const kept = await Promise.all([...keys].map((key) => store.get(key)))
    expect([kept.length, kept.filter((part) => part !== undefined)]).toEqual([6, ['a', 'b']])
  })
})

describe.each(fullStorages)('with $name', ({ open }) => {
  test('a device that is removed leaves no counter of its refresh tokens', async () => {
    const clock = createManualClock()
    const storage = await open({ clock })
    const identity = await anIdentity({ open: async () => storage })
    const deleted: string[] = []
    const store = {
      ...storage.store,
      async delete(key: string) {
        if (await storage.store.delete(key)) deleted.push(key)
        return true
      },
    }
    const onRemoved = createAfterRemoval({ storage: { ...storage, store }, isAirOn: false, onError: () => {} })
    const devices = createDeviceRegistry({ directory: storage.directory, clock, onRemoved })
    expect((await identity.token(deviceTokenRequest)).status).toBe(200)

    const where = { index: 'clientId', equals: 'fleet' }
    const [device] = await storage.directory.list('device', { where })
    await devices.remove(device?.id ?? '', async () => {})

    expect(deleted).toEqual([expect.stringMatching(/^refresh-slots:/)])
  })
})
