/** How often an account that no operator knows may press Pair, on every storage. */
import type { DeviceList } from '@posrep/spec'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError } from '../../src/errors.ts'
import { createPairingPresses } from '../../src/pairing/pairing-presses.ts'
import { aServer } from '../a-server.ts'
import { storages } from '../identity/stores.ts'
import { aPortalVisitor } from '../portal/a-portal-visitor.ts'

const minuteMs = 60_000

describe.each(storages)('on $name', ({ open }) => {
  async function thePresses() {
    const clock = createManualClock()
    const { store } = await open({ clock })
    const presses = createPairingPresses({ store, clock, windowMs: minuteMs })
    const press = (localId: string, account = 'me') =>
      presses.count(account, localId).then(
        () => 'open',
        (error) => (error instanceof ApiError ? error.code : String(error)),
      )
    return { clock, press }
  }

  test('an account can have ten pairing requests open, and another one when the first has ended', async () => {
    const { clock, press } = await thePresses()
    for (let n = 0; n < 10; n++) {
      expect(await press(`mast${n}`)).toBe('open')
      await clock.advance(1_000)
    }

    expect(await press('mast10')).toBe('too_many_requests')
    expect(await press('mast9')).toBe('open')
    expect(await press('mast10', 'another')).toBe('open')
    await clock.advance(minuteMs - 10_000)
    expect(await press('mast10')).toBe('open')
    expect(await press('mast11')).toBe('too_many_requests')
  })

  test('of 20 requests at the same moment, ten are opened', async () => {
    const { press } = await thePresses()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => press(`mast${n}`)))

    expect(answers.filter((answer) => answer === 'open')).toHaveLength(10)
  })

  test('an account can press Pair 60 times in any hour', async () => {
    const { clock, press } = await thePresses()
    for (let n = 0; n < 60; n++) {
      expect(await press('mast')).toBe('open')
      await clock.advance(1_000)
    }

    expect(await press('mast')).toBe('too_many_requests')
    await clock.advance(60 * minuteMs - 60_000)
    expect(await press('mast')).toBe('open')
    expect(await press('mast')).toBe('too_many_requests')
  })
})

test('an account without a client application gets 429 at its eleventh open pairing request, one with a client does not', async () => {
  const server = await aServer({ flags: { 'open-registration': true } })
  onTestFinished(() => server.stop())
  const newcomer = { email: 'new@example.com', password: 'tangerine dream 3' }
  const visitor = aPortalVisitor(server)
  await visitor.press(await visitor.open('/sensors'), 'Create account', newcomer)

  /** Registers eleven sensors and presses Pair for each. */
  async function pairAll(name: string, user: typeof newcomer | undefined, client: object): Promise<number[]> {
    const token = await server.userToken(user)
    const sensors = Array.from({ length: 11 }, (_, n) => ({ clientUniqueId: `${name}${n}`, ...client }))
    expect((await server.post('/v1/sensor-requests', token, { sensors })).status).toBe(201)
    const { data } = (await (await server.get('/v1/devices', token)).json()) as DeviceList
    const statuses: number[] = []
    for (const { deviceId } of data.filter((device) => device.deviceName.startsWith(name))) {
      statuses.push((await server.post('/v1/pairing-requests', token, { deviceId })).status)
    }
    return statuses
  }

  expect(await pairAll('mast', undefined, { clientId: 'fleet' })).toEqual(Array(11).fill(201))
  expect(await pairAll('tree', newcomer, {})).toEqual([...Array(10).fill(201), 429])
})
