/** What an outsider and a user without an operator can store, filled to its bound and one past it. */
import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import { createSensorRequests } from '../../src/devices/sensor-requests.ts'
import { createUsers } from '../../src/identity/people/users.ts'
import type { SensorRequest } from '../../src/ports/storage/directory.ts'
import { storages } from '../identity/stores.ts'

const dayMs = 24 * 60 * 60_000
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => error.code ?? String(error),
  )

describe.each(storages)('on $name', ({ open }) => {
  async function theRequests({ openRegistration = false } = {}) {
    const clock = createManualClock()
    const { directory } = await open({ clock })
    const devices = createDeviceRegistry({ directory, clock })
    const options = { openRegistration, selfRegisteredAccounts: 100, sensorIdPolicy: 'strict' as const }
    const requests = createSensorRequests({ directory, devices, clock, ...options })
    await directory.insertAll('account', [
      { id: 'new', name: 'new@example.com' },
      { id: 'other', name: 'other@example.com' },
    ])
    let asked = 0
    return {
      clock,
      directory,
      devices,
      /** Requests so many sensors, none of them twice. */
      ask: (sensors: number, accountId = 'new') =>
        codeOf(
          requests.create(
            { accountId, userId: 'u' },
            Array.from({ length: sensors }, () => ({ clientUniqueId: `s${asked++}` })),
          ),
        ),
    }
  }

  test('at the limit of users nobody can sign up, and those who are there can sign in', async () => {
    const { directory } = await open({ clock: createManualClock() })
    const users = createUsers({ directory, maxUsers: 2 })
    const password = 'correct horse 42'
    for (const name of ['a', 'b'])
      expect(await users.create(`${name}@example.com`, password)).toMatchObject({ isNew: true })

    expect(await codeOf(users.create('c@example.com', password))).toBe('too_many_requests')
    expect(await users.create('a@example.com', password)).toMatchObject({ kind: 'signed-in', isNew: false })
    expect([await directory.count('user'), await directory.count('account')]).toEqual([2, 2])
  })

  test('an account without a client application has 100 pending requests', async () => {
    const { ask, directory } = await theRequests()
    expect(await ask(99)).toBe('done')

    expect(await ask(2)).toBe('too_many_requests')
    expect(await ask(1)).toBe('done')
    expect(await ask(1)).toBe('too_many_requests')
    expect(await directory.count('sensorRequest')).toBe(100)
  })

  test('of calls at the same moment, as many are taken as there is room for', async () => {
    const { ask, directory } = await theRequests()

    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(30)))

    expect(answers.filter((answer) => answer === 'done')).toHaveLength(3)
    expect(await directory.count('sensorRequest')).toBe(90)
  })

  test('when 10,000 requests are pending in all, an account without a client application can have one', async () => {
    const { ask, directory } = await theRequests()
    const pending = Array.from({ length: 10_000 }, (_, n): SensorRequest => {
      const requested = { requestedBy: 'u', requestedAtMs: 0, state: 'pending' } as const
      return { id: `sr_${n}`, accountId: `a${n % 100}`, clientId: 'c', localId: `p${n}`, name: 'p', ...requested }
    })
    for (let n = 1; n < pending.length; n += 1_000)
      await directory.insertAll('sensorRequest', pending.slice(n, n + 1_000))
    expect(await ask(2, 'other')).toBe('done')

    expect(await ask(2)).toBe('too_many_requests')
    expect(await ask(1)).toBe('done')
    expect(await ask(1)).toBe('too_many_requests')
  })

  test('an account without a client application has 1,000 sensors, with those that it removed in the last 91 days', async () => {
    const { ask, clock, devices, directory } = await theRequests({ openRegistration: true })
    expect(await ask(999)).toBe('done')
    const [one, two] = await devices.list('new', { limit: 2 })
    for (const device of [one, two]) if (device) await devices.remove(device.id, async () => {})

    expect(await ask(2)).toBe('too_many_requests')
    expect(await ask(1)).toBe('done')
    expect(await ask(1)).toBe('too_many_requests')
    expect([await directory.count('device'), await directory.count('formerDevice')]).toEqual([998, 2])
    await clock.advance(91 * dayMs)
    expect(await ask(2)).toBe('done')
    expect(await directory.count('formerDevice')).toBe(0)
    // Of the 1,003 decided requests, the newest 1,000 and those of the last call are kept.
    expect(await directory.count('sensorRequest')).toBeLessThanOrEqual(1_002)
  })

  test('a sensor that its account registers and removes again and again counts once', async () => {
    const { directory, devices } = await theRequests()
    const client = {
      ...{ id: 'c', name: 'c', accountId: 'new', secretHashes: [], grants: [], redirectUris: [], scopes: [] },
      ...{ urnPart: 'c', partner: true, disabled: false },
    }
    for (let n = 0; n < 3; n++) {
      const { id } = await devices.registerItself({ client, localId: 'roof1' })
      expect(await directory.count('formerDevice')).toBe(0)
      await devices.remove(id, async () => {})
    }
    expect(await directory.count('formerDevice')).toBe(1)
  })
})
