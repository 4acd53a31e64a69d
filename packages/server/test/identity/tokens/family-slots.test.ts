/** How many refresh tokens of a client's user or device are stored, on every storage and with two processes. */
import { describe, expect, test } from 'vitest'
import type { Store } from '../../../src/ports/storage/store.ts'
import { anIdentity, clients, deviceTokenRequest, fleetCredentials, type TestProcess } from '../an-identity.ts'
import { pairedTokens, refreshOf } from '../issued-tokens.ts'
import { storages } from '../stores.ts'

const slots = 256
const dayMs = 24 * 60 * 60_000

async function refreshTokens(process: TestProcess, count: number): Promise<string[]> {
  const tokens: string[] = []
  for (let n = 0; n < count; n++) tokens.push((await process.token(deviceTokenRequest)).body.refresh_token ?? '')
  return tokens
}

/** The numbers of the tokens that do not work any more. */
async function refusedOf(process: TestProcess, tokens: string[]): Promise<number[]> {
  const answers = await Promise.all(tokens.map((token) => process.refresh(token, fleetCredentials)))
  return answers.flatMap(({ status }, index) => (status === 200 ? [] : [index]))
}

describe.each(storages)('on $name', ({ open }) => {
  test('two processes share the slots: the tokens that one issued outlive some of the other', async () => {
    const identity = await anIdentity({ open })
    const elsewhere = await identity.another()
    const first = await refreshTokens(identity, 1)
    const others = await refreshTokens(elsewhere, slots / 2)
    const second = await refreshTokens(identity, slots / 4)

    expect(await refusedOf(identity, [...first, ...others, ...second])).toEqual([])
  })

  test('a process that took slots a minute ago takes new ones, and replaces no newer family of another process', async () => {
    const identity = await anIdentity({ open })
    const elsewhere = await identity.another()
    // Of the last four slots that it takes, it uses one.
    await refreshTokens(identity, 4)
    await identity.clock.advance(60_000)
    const others = await refreshTokens(elsewhere, slots)
    await refreshTokens(identity, 1)

    // The other process has reserved 64 slots, of which it used one: the next slot is of its 64th token.
    expect(await refusedOf(identity, others)).toEqual([63])
  })
})

test('of the refresh tokens that a device asks for again and again, the 256 newest work', async () => {
  const identity = await anIdentity()
  const tokens = await refreshTokens(identity, slots + 2)

  const statusOf = async (index: number) => (await identity.refresh(tokens.at(index), fleetCredentials)).status
  expect([await statusOf(1), await statusOf(2), await statusOf(-1)]).toEqual([401, 200, 200])
})

test('a device that asks for a token every two minutes keeps the 256 newest', async () => {
  const identity = await anIdentity()
  const tokens: string[] = []
  for (let n = 0; n < slots; n++) {
    tokens.push(...(await refreshTokens(identity, 1)))
    await identity.clock.advance(120_000)
  }

  expect(await refusedOf(identity, tokens)).toEqual([])
})

test('a family that is refreshed for a year stays, although the device asks for no other token', async () => {
  const identity = await anIdentity()
  let [token = ''] = await refreshTokens(identity, 1)
  for (let month = 0; month < 12; month++) {
    await identity.clock.advance(30 * dayMs)
    token = (await identity.refresh(token, fleetCredentials)).body.refresh_token ?? ''
  }
  await refreshTokens(identity, 100)

  expect((await identity.refresh(token, fleetCredentials)).status).toBe(200)
})

test("requests of a device's client do not replace the family from its pairing", async () => {
  const identity = await anIdentity()
  const paired = await pairedTokens(identity)

  await refreshTokens(identity, 2 * slots)

  expect((await refreshOf(identity, paired)).status).toBe(200)
})

test('the store has at most 256 families of a device', async () => {
  const stored = new Set<string>()
  const wrapStore = (store: Store): Store => ({
    ...store,
    put: (key, value, ttlMs) => store.put(key, value, ttlMs).then(() => void stored.add(key)),
  })
  const identity = await anIdentity({ wrapStore })
  const families = () => [...stored].filter((key) => key.startsWith('refresh-family:')).length

  await refreshTokens(identity, 3 * slots)
  expect(families()).toBe(slots)
})

test("a device's refresh tokens do not replace those of another device of the client", async () => {
  const identity = await anIdentity()
  await identity.devices.registerItself({ client: clients.fleet, localId: 'roof2' })
  const other = await identity.token({ ...deviceTokenRequest, device_id: 'roof2' })

  await refreshTokens(identity, 2 * slots)

  expect((await identity.refresh(other.body.refresh_token, fleetCredentials)).status).toBe(200)
})
