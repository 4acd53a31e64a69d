import { describe, expect, test } from 'vitest'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { createDeviceRegistry } from '../../src/devices/registry.ts'
import { createPairingRequests, type PairingRequestsOptions } from '../../src/pairing/pairing-request.ts'
import type { Principal } from '../../src/ports/principal.ts'
import type { DeviceRecord } from '../../src/ports/storage/directory.ts'
import type { Store } from '../../src/ports/storage/store.ts'
import { storages } from '../identity/stores.ts'

function aDevice({ account = 'acme', localId = 'roof1' } = {}): DeviceRecord {
  return {
    id: `urn:aa:device:${account}:${localId}`,
    localId,
    name: localId,
    accountId: account,
    clientId: account,
    createdAtMs: 0,
    storePositionReports: true,
    relay: null,
    blocked: false,
    pairing: 'allowed',
  }
}

/** Wraps the store and records the names of the calls that write. */
function recordingWrites(store: Store, written: string[]): Store {
  const recorded =
    <A extends unknown[], R>(name: string, call: (...args: A) => R) =>
    (...args: A): R => {
      written.push(name)
      return call(...args)
    }
  return {
    get: store.get,
    put: recorded('put', store.put),
    take: recorded('take', store.take) as Store['take'],
    replace: recorded('replace', store.replace),
    delete: recorded('delete', store.delete),
  }
}

describe.each(storages)('over $name', ({ open }) => {
  async function requests(options: Partial<PairingRequestsOptions> = {}) {
    const clock = createManualClock()
    const written: string[] = []
    const { store, directory } = await open({ clock })
    const devices = createDeviceRegistry({ directory, clock })
    const { consume, idle, ...rest } = createPairingRequests({
      store: recordingWrites(store, written),
      devices,
      clock,
      ...options,
    })
    return {
      clock,
      store,
      devices,
      written,
      ...rest,
      async consume(localId: string, address = '198.51.100.7') {
        const request = await consume(localId, { address, userAgent: 'agent/1' })
        await idle()
        return request
      },
    }
  }

  test('a request can be consumed at 59.9 s but not at 60 s', async () => {
    const { clock, start, consume } = await requests()
    const early = await start(aDevice())
    await start(aDevice({ localId: 'roof2' }))
    await clock.advance(59_900)
    expect((await consume('roof1'))?.id).toBe(early.id)
    await clock.advance(100)
    expect(await consume('roof2')).toBeUndefined()
  })

  test('exactly one of 1,000 parallel consumptions gets the request', async () => {
    const { start, consume, find } = await requests()
    const { id } = await start(aDevice())
    const got = await Promise.all(Array.from({ length: 1_000 }, () => consume('roof1')))

    expect(got.filter((request) => request !== undefined)).toHaveLength(1)
    expect((await find(id))?.state).toBe('consumed')
  })

  test('Pair pressed again restarts the window and voids the first request', async () => {
    const { clock, start, consume, find } = await requests()
    const first = await start(aDevice())
    await clock.advance(50_000)
    const second = await start(aDevice())
    await clock.advance(50_000)

    expect((await find(first.id))?.state).toBe('cancelled')
    expect((await consume('roof1'))?.id).toBe(second.id)
  })

  test('one request is pending after Pair is pressed 20 times in parallel', async () => {
    const { start, consume, find } = await requests()
    const started = await Promise.all(Array.from({ length: 20 }, () => start(aDevice())))
    const states = await Promise.all(started.map(async ({ id }) => (await find(id))?.state))

    expect(states.filter((state) => state === 'pending')).toHaveLength(1)
    expect(started.map(({ id }) => id)).toContain((await consume('roof1'))?.id)
    expect(await consume('roof1')).toBeUndefined()
  })

  test('another account is refused while a request is pending, and accepted afterwards', async () => {
    const { clock, start, consume } = await requests()
    await start(aDevice())
    await expect(start(aDevice({ account: 'other' }))).rejects.toMatchObject({ code: 'pairing_pending_elsewhere' })
    expect((await consume('roof1'))?.accountId).toBe('acme')

    await start(aDevice({ account: 'other' }))
    await clock.advance(60_000)
    await start(aDevice())
    expect((await consume('roof1'))?.accountId).toBe('acme')
  })

  test('a cancelled request is not consumed, and the local ID is free for another account', async () => {
    const { start, cancel, consume, find } = await requests()
    const request = await start(aDevice())
    await cancel(request)
    expect((await find(request.id))?.state).toBe('cancelled')
    expect(await consume('roof1')).toBeUndefined()

    await cancel(await start(aDevice()))
    await start(aDevice({ account: 'other' }))
    expect((await consume('roof1'))?.accountId).toBe('other')
  })

  test('cancelling a consumed request changes nothing', async () => {
    const { start, cancel, consume, find } = await requests()
    const request = await start(aDevice())
    await consume('roof1')
    await cancel(request)
    expect((await find(request.id))?.state).toBe('consumed')
  })

  test('cancelling the voided request leaves the newer one pending', async () => {
    const { start, cancel, consume } = await requests()
    const first = await start(aDevice())
    const second = await start(aDevice())
    await cancel(first)
    expect((await consume('roof1'))?.id).toBe(second.id)
  })

  test('a request stores who consumed it', async () => {
    const { clock, start, consume, find } = await requests()
    const { id } = await start(aDevice())
    expect(await find(id)).toMatchObject({ consumedBy: null, sources: [] })
    await clock.advance(1_000)
    await consume('roof1', '203.0.113.9')
    expect((await find(id))?.consumedBy).toEqual({ address: '203.0.113.9', userAgent: 'agent/1', atMs: clock.now() })
  })

  test('sources are counted before and after the consumption, each once, up to eight', async () => {
    const { start, consume, find } = await requests()
    await consume('roof1', '203.0.113.1')
    const { id } = await start(aDevice())
    await consume('roof1', '203.0.113.2')
    expect((await find(id))?.sources).toHaveLength(2)
    for (const _ of [1, 2, 3]) await consume('roof1', '203.0.113.3')
    expect((await find(id))?.sources).toHaveLength(3)
    for (let n = 0; n < 20; n++) await consume('roof1', `198.51.100.${n}`)

    const request = await find(id)
    expect(request?.sources).toHaveLength(8)
    expect([request?.state, request?.consumedBy?.address]).toEqual(['consumed', '203.0.113.2'])
    expect(JSON.stringify(request?.sources)).not.toMatch(/203|198/)
  })

  test('a caller that asked more than a minute ago does not count as a source', async () => {
    const { clock, start, consume, find } = await requests()
    await consume('roof1', '203.0.113.1')
    await clock.advance(60_000)
    const { id } = await start(aDevice())
    await consume('roof1', '203.0.113.2')
    expect((await find(id))?.sources).toHaveLength(1)
  })

  test('a call without a window writes nothing, and a call after the consumption writes only new sources', async () => {
    const { start, consume, written } = await requests()
    for (let n = 0; n < 50; n++) await consume(`nobody${n}`, `203.0.113.${n}`)
    expect(written).toEqual([])

    await start(aDevice())
    await consume('roof1')
    written.length = 0
    for (let n = 0; n < 50; n++) await consume('roof1', '203.0.113.1')
    expect(written).toEqual(['replace', 'put'])
  })

  test('a newer request does not show who consumed the earlier one', async () => {
    const { clock, start, consume, find } = await requests()
    const first = await start(aDevice())
    await consume('roof1')
    await clock.advance(10_000)
    const second = await start(aDevice())
    expect(await find(second.id)).toMatchObject({ state: 'pending', consumedBy: null, sources: [] })
    expect(await find(first.id)).toMatchObject({ state: 'consumed' })
    expect((await consume('roof1'))?.id).toBe(second.id)
  })

  test('onSeveralSources is called for each source after the first', async () => {
    const told: number[] = []
    const { start, consume } = await requests({ onSeveralSources: ({ sources }) => told.push(sources.length) })
    await start(aDevice())
    await consume('roof1', '203.0.113.1')
    await consume('roof1', '203.0.113.1')
    expect(told).toEqual([])
    for (const n of [2, 2, 3]) await consume('roof1', `203.0.113.${n}`)
    expect(told).toEqual([2, 3])
  })

  test('a request cannot be used again when the process dies between consumption and answer', async () => {
    const { store, devices, clock, start, consume, find } = await requests()
    const { id } = await start(aDevice())
    const died = new Error('killed')
    const dying: Store = {
      ...store,
      async replace(...args) {
        await store.replace(...args)
        throw died
      },
    }
    const asking = { address: '198.51.100.7', userAgent: null }
    await expect(createPairingRequests({ store: dying, devices, clock }).consume('roof1', asking)).rejects.toBe(died)

    expect(await consume('roof1')).toBeUndefined()
    const again = await start(aDevice())
    expect((await consume('roof1'))?.id).toBe(again.id)
    expect(again.id).not.toBe(id)
    expect(await find(again.id)).toMatchObject({ state: 'consumed' })
  })

  describe('of a user', () => {
    const user: Principal = { kind: 'user', userId: 'u', accountId: 'acme', clientId: 'app', scopes: [], tokenId: 't' }

    test('a request cannot be consumed after the sign-in of its user is revoked, and nothing is written', async () => {
      let isRevoked = false
      const { start, consume, written } = await requests({ isRevoked: async () => isRevoked })
      await start(aDevice(), user)
      isRevoked = true
      written.length = 0
      expect(await consume('roof1')).toBeUndefined()
      expect(written).toEqual([])
      await start(aDevice(), null)
      expect(await consume('roof1')).toBeDefined()
    })
  })

  describe('with a strict source', () => {
    async function strictRequests() {
      const ended: string[] = []
      return { ended, ...(await requests({ strictSource: { endTokens: async (urn) => void ended.push(urn) } })) }
    }

    test('a device that asks alone gets the request', async () => {
      const { start, consume, isUncontested, ended } = await strictRequests()
      await consume('roof1')
      const { id } = await start(aDevice())
      const request = await consume('roof1')
      expect(request?.id).toBe(id)
      expect(request && (await isUncontested(request))).toBe(true)
      expect(ended).toEqual([])
    })

    test('nobody gets a request when two callers ask in the minute before or in the window', async () => {
      const { clock, start, consume, find } = await strictRequests()
      await consume('roof1', '203.0.113.1')
      const { id } = await start(aDevice())
      expect(await consume('roof1', '203.0.113.2')).toBeUndefined()
      expect(await consume('roof1', '203.0.113.1')).toBeUndefined()
      expect(await find(id)).toMatchObject({
        state: 'contested',
        consumedBy: null,
        sources: [{}, {}].map(() => expect.any(String)),
      })

      await clock.advance(60_000)
      await start(aDevice())
      expect(await consume('roof1', '203.0.113.2')).toBeDefined()
    })

    test('a second caller within the window revokes the tokens of the first', async () => {
      const { start, consume, isUncontested, find, ended } = await strictRequests()
      await start(aDevice())
      const request = await consume('roof1', '203.0.113.1')
      if (!request) throw new Error('The first caller got no request')
      expect(await consume('roof1', '203.0.113.2')).toBeUndefined()

      expect(ended).toEqual([aDevice().id])
      expect(await isUncontested(request)).toBe(false)
      expect(await find(request.id)).toMatchObject({ state: 'contested', consumedBy: { address: '203.0.113.1' } })
      await consume('roof1', '203.0.113.3')
      expect(ended).toHaveLength(1)
    })
  })
})
