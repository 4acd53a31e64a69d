import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { openSqliteEngine } from '../../src/adapters/sqlite/engine.ts'
import { createSqliteStore } from '../../src/adapters/sqlite/store.ts'
import { createManualClock, type ManualClock } from '../../src/contracts/manual-clock.ts'
import { createPairingRequests } from '../../src/pairing/pairing-request.ts'
import type { DeviceRecord } from '../../src/ports/directory.ts'
import type { Store } from '../../src/ports/store.ts'

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
  }
}

async function sqliteStore(clock: ManualClock): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'posrep-pairing-'))
  const engine = await openSqliteEngine({ file: join(folder, 'posrep.sqlite') })
  onTestFinished(async () => {
    await engine.close()
    await rm(folder, { recursive: true })
  })
  return createSqliteStore({ engine, clock })
}

const stores: [string, (clock: ManualClock) => Promise<Store>][] = [
  ['memory', async (clock) => createMemoryStore({ clock })],
  ['sqlite', sqliteStore],
]

describe.each(stores)('over %s', (_name, createStore) => {
  async function requests() {
    const clock = createManualClock()
    const { consume, ...rest } = createPairingRequests({ store: await createStore(clock), clock })
    return {
      clock,
      ...rest,
      consume: (localId: string, address = '198.51.100.7') => consume(localId, { address, userAgent: 'agent/1' }),
    }
  }

  test('a request is consumed at 59.9 s and no more at 60 s', async () => {
    const { clock, start, consume } = await requests()
    const early = await start(aDevice())
    await start(aDevice({ localId: 'roof2' }))
    await clock.advance(59_900)
    expect((await consume('roof1'))?.id).toBe(early.id)
    await clock.advance(100)
    expect(await consume('roof2')).toBeUndefined()
  })

  test('of 1,000 parallel consumptions exactly one gets the request', async () => {
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

  test('of 20 parallel presses of Pair one request is pending', async () => {
    const { start, consume, find } = await requests()
    const started = await Promise.all(Array.from({ length: 20 }, () => start(aDevice())))
    const states = await Promise.all(started.map(async ({ id }) => (await find(id))?.state))

    expect(states.filter((state) => state === 'pending')).toHaveLength(1)
    expect(started.map(({ id }) => id)).toContain((await consume('roof1'))?.id)
    expect(await consume('roof1')).toBeUndefined()
  })

  test('another account is refused while one is pending, and has its turn after that', async () => {
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
})
