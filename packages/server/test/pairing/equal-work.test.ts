/** Refusals must take the same time, whatever their reason: these tests count the calls instead of timing them. */
import type { PairingRequest } from '@posrep/spec'
import { expect, onTestFinished, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { startServer } from '../../src/composition/server.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import { createManualClock, type ManualClock } from '../../src/contracts/manual-clock.ts'
import { toOperationRequest } from '../../src/http/operation/operation-request.ts'
import type { RevocationSubject } from '../../src/identity/revocation/revocation-subject.ts'
import { createRevocations } from '../../src/identity/revocation/revocations.ts'
import type { Principal } from '../../src/ports/principal.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { rivalRoof1, roof1, seed, silentLogger } from '../a-server.ts'

interface Scene {
  clock: ManualClock
  pair(deviceId?: string, accountId?: string): Promise<PairingRequest>
  cancel(request: PairingRequest): Promise<unknown>
  consume(localId?: string, address?: string): Promise<string>
  revoke(subject: RevocationSubject): Promise<void>
  /** As a user of "acme". */
  ask(operation: 'getPairingRequest' | 'cancelPairingRequest' | 'createPairingRequest', id: string): Promise<string>
  /** Returns the answer, and the calls to the store and the directory before it. */
  asked(call: () => Promise<string>): Promise<{ answer: string; calls: string[] }>
}

async function aScene({ strictSource = false } = {}): Promise<Scene> {
  const clock = createManualClock(currentTimeMs())
  let calls: string[] = []
  const noting = <T extends object>(name: string, port: T): T =>
    new Proxy(port, {
      get(target, key) {
        const value = Reflect.get(target, key)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          calls.push(`${name}.${String(key)}`)
          return Reflect.apply(value, target, args)
        }
      },
    })
  const memory = memoryStorage({ clock })
  const storage = {
    ...memory,
    store: noting('store', memory.store),
    directory: noting('directory', memory.directory),
    revocationFeed: noting('feed', memory.revocationFeed),
  }
  const flags = { memory: true, port: '0', 'pairing-strict-source': strictSource }
  const settings = resolveSettings({ flags, environment: {} })
  const server = await startServer({ settings, clock, logger: silentLogger, version: '1', seeds: [seed], storage })
  onTestFinished(() => server.stop())
  const { handlers } = server.app
  const by = (accountId: string): { principal: Principal } => {
    const tokenId = `f.1.${clock.now().toString(36)}`
    return { principal: { kind: 'user', userId: 'u', accountId, clientId: 'app', scopes: [], tokenId } }
  }
  const toAnswer = (call: Promise<{ status: number }>) =>
    call.then(
      ({ status }) => String(status),
      ({ code }) => String(code),
    )

  return {
    clock,
    async pair(deviceId = roof1, accountId = 'acme') {
      const request = toOperationRequest<'createPairingRequest'>({ body: { deviceId } }, by(accountId))
      return (await handlers.createPairingRequest(request)).body as PairingRequest
    },
    cancel: ({ id }) =>
      handlers.cancelPairingRequest(toOperationRequest({ path: { pairingRequestId: id } }, by('acme'))),
    consume: (clientUniqueId = 'roof1', address = '198.51.100.7') =>
      toAnswer(handlers.consumePairingToken(toOperationRequest({ query: { clientUniqueId } }, { address }))),
    revoke: createRevocations({ feed: memory.revocationFeed, clock }).revoke,
    ask: (operation, id) => {
      const asked = toOperationRequest<'createPairingRequest'>({ body: { deviceId: id } }, by('acme'))
      // One of the three operations reads the body, the others the path.
      return toAnswer(handlers[operation]({ ...asked, path: { pairingRequestId: id } } as never))
    },
    async asked(call) {
      calls = []
      const answer = await call()
      return { answer, calls: [...calls] }
    },
  }
}

test.each<[string, (scene: Scene) => Promise<unknown>, localId?: string, address?: string]>([
  ['that no sensor has', async () => {}, 'nobody'],
  ['of a sensor without a pairing request', async () => {}],
  ['whose window has ended', async ({ pair, clock }) => [await pair(), await clock.advance(60_000)]],
  ['whose request was cancelled', async ({ pair, cancel }) => cancel(await pair())],
  ['whose tokens were fetched', async ({ pair, consume }) => [await pair(), await consume()]],
  [
    'whose tokens were fetched from another address',
    async ({ pair, consume }) => [await pair(), await consume()],
    'roof1',
    '203.0.113.9',
  ],
  [
    'whose tokens another account has fetched',
    async ({ pair, consume }) => [await pair(rivalRoof1, 'other'), await consume()],
  ],
  [
    'whose user signed out',
    async ({ pair, revoke, clock }) => [await pair(), await revoke('family:f'), await clock.advance(1_000)],
  ],
])('a call for a local ID %s is refused after one read', async (_what, arrange, localId, address) => {
  const scene = await aScene()
  await arrange(scene)
  expect(await scene.asked(() => scene.consume(localId, address))).toEqual({
    answer: 'pairing_not_found',
    calls: ['store.get'],
  })
})

test('with a strict source a second address is refused after one read, before and after the tokens were fetched', async () => {
  const refused = { answer: 'pairing_not_found', calls: ['store.get'] }
  const before = await aScene({ strictSource: true })
  await before.consume('roof1', '203.0.113.1')
  await before.pair()
  expect(await before.asked(() => before.consume('roof1', '203.0.113.2'))).toEqual(refused)

  const after = await aScene({ strictSource: true })
  await after.pair()
  expect(await after.consume('roof1', '203.0.113.1')).toBe('200')
  expect(await after.asked(() => after.consume('roof1', '203.0.113.2'))).toEqual(refused)
  expect(await after.asked(() => after.consume('roof1', '203.0.113.1'))).toEqual(refused)
})

test.each(['getPairingRequest', 'cancelPairingRequest'] as const)(
  '%s of another account’s request makes the same calls as for an unknown request',
  async (operation) => {
    const { pair, ask, asked } = await aScene()
    const { id } = await pair(rivalRoof1, 'other')
    const ofOther = await asked(() => ask(operation, id))
    expect(ofOther).toEqual({ answer: 'pairing_not_found', calls: ['store.get'] })
    expect(await asked(() => ask(operation, 'pr_unknown'))).toEqual(ofOther)
  },
)

test('Pair for another account’s device makes the same calls as for an unknown device', async () => {
  const { ask, asked } = await aScene()
  const ofOther = await asked(() => ask('createPairingRequest', rivalRoof1))
  expect(ofOther).toEqual({ answer: 'device_not_found', calls: ['directory.find'] })
  expect(await asked(() => ask('createPairingRequest', 'urn:aa:device:fleet:nobody'))).toEqual(ofOther)
})
