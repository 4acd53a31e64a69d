import { expect, onTestFinished, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { startServer } from '../../src/composition/server.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { toOperationRequest } from '../../src/http/operation/operation-request.ts'
import type { RevocationSubject } from '../../src/identity/revocation/revocation-subject.ts'
import { createRevocations } from '../../src/identity/revocation/revocations.ts'
import { createConsumePairingToken } from '../../src/pairing/consume-pairing-token.ts'
import type { PairingRequestRecord } from '../../src/pairing/pairing-request.ts'
import type { Principal } from '../../src/ports/principal.ts'
import type { DeviceRecord } from '../../src/ports/storage/directory.ts'
import { resolveSettings } from '../../src/settings/resolve-settings.ts'
import { roof1, seed, silentLogger } from '../a-server.ts'

interface SharedStorage extends Storage {
  /** Revokes as another process does. */
  revoke(subject: RevocationSubject): Promise<void>
}

type Change = (storage: SharedStorage) => Promise<unknown>

/** Starts a pairing request, makes the change, and returns the status that the device gets. */
async function statusAfter(change: Change): Promise<number> {
  const clock = createManualClock(currentTimeMs())
  const storage = memoryStorage({ clock })
  const settings = resolveSettings({ flags: { memory: true, port: '0' }, environment: {} })
  const server = await startServer({ settings, clock, logger: silentLogger, version: '1', seeds: [seed], storage })
  onTestFinished(() => server.stop())
  const { handlers } = server.app
  const principal: Principal = {
    kind: 'user',
    userId: 'u',
    accountId: 'acme',
    clientId: 'app',
    scopes: [],
    tokenId: `f.1.${clock.now().toString(36)}`,
  }
  await handlers.createPairingRequest(toOperationRequest({ body: { deviceId: roof1 } }, { principal }))
  await change({ ...storage, revoke: createRevocations({ feed: storage.revocationFeed, clock }).revoke })
  await clock.advance(1_000)
  const consume = toOperationRequest<'consumePairingToken'>({ query: { clientUniqueId: 'roof1' } })
  return handlers.consumePairingToken(consume).then(
    ({ status }) => status,
    ({ code }) => (code === 'pairing_not_found' ? 404 : Promise.reject(new Error(code))),
  )
}

test.each<[string, Change, number]>([
  ['nothing happened', async () => {}, 200],
  ['it was removed', ({ directory }) => directory.remove('device', roof1), 404],
  [
    'an operator registered its local ID for another account at the moment when it registered itself',
    async ({ directory }) => {
      const own = await directory.find('device', roof1)
      if (!own) throw new Error('No device')
      await directory.update('device', roof1, (one) => ({ ...one, pairing: 'later' }))
      await directory.insert('device', { ...own, id: 'urn:aa:device:rival:roof1', accountId: 'rival' })
    },
    404,
  ],
  ['it was blocked', ({ directory }) => directory.update('device', roof1, (one) => ({ ...one, blocked: true })), 404],
  [
    'its client was disabled',
    ({ directory }) => directory.update('client', 'fleet', (one) => ({ ...one, disabled: true })),
    404,
  ],
  ['its user was disabled, or changed the password', ({ revoke }) => revoke('user:u'), 404],
  ['its user signed out', ({ revoke }) => revoke('family:f'), 404],
  ['its user withdrew the approval', ({ revoke }) => revoke('consent:u:app'), 404],
  ['another user signed out', ({ revoke }) => revoke('family:g'), 200],
])('a device asks for its tokens within the window, after %s', async (_what, change, status) => {
  expect(await statusAfter(change)).toBe(status)
})

test('tokens that were issued while the request became contested are revoked, and the device gets 404', async () => {
  const steps: string[] = []
  const consume = createConsumePairingToken({
    pairingRequests: {
      consume: async () => ({ deviceUrn: roof1 }) as PairingRequestRecord,
      async isUncontested() {
        steps.push('asked')
        return false
      },
    },
    devices: { find: async () => ({ id: roof1 }) as DeviceRecord, findEarlierOwner: async () => undefined },
    async issueDeviceTokens() {
      steps.push('issued')
      return { accessToken: 'a', refreshToken: 'r', expiresAtMs: 1 }
    },
    revokeTokens: async (urn) => void steps.push(`revoked ${urn}`),
    sensorIdPolicy: 'strict',
    clock: createManualClock(),
  })

  await expect(consume('roof1', { address: '192.0.2.7', userAgent: null })).rejects.toMatchObject({
    code: 'pairing_not_found',
  })

  expect(steps).toEqual(['issued', 'asked', `revoked ${roof1}`])
})
