/**
 * The pairing of sensors over the storage.
 * In: storage, the identity provider and settings. Out: the operations on pairing requests.
 */
import type { DeviceHistories } from '../devices/device-history.ts'
import type { DeviceRegistry } from '../devices/registry.ts'
import type { Audit } from '../identity/audit.ts'
import type { Identity } from '../identity/identity.ts'
import { createConsumePairingToken } from '../pairing/consume-pairing-token.ts'
import { pairingOperations } from '../pairing/operations.ts'
import { createPairingPresses } from '../pairing/pairing-presses.ts'
import { createPairingRequests, pairingWindowMs } from '../pairing/pairing-request.ts'
import type { Clock } from '../ports/clock.ts'
import type { Logger } from '../ports/logger.ts'
import type { Settings } from '../settings/setting-table.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface Pairing {
  operations: ReturnType<typeof pairingOperations>
  /** Resolves when what was recorded is stored. */
  idle(): Promise<void>
}

export interface PairingOptions {
  storage: Pick<Storage, 'store' | 'sharedCounts'>
  settings: Settings
  identity: Pick<Identity, 'isRevoked' | 'issueDeviceTokens'>
  devices: DeviceRegistry
  revokeTokens(deviceUrn: string): Promise<void>
  histories: Pick<DeviceHistories, 'recordPairing'>
  clock: Clock
  audit: Audit
  logger: Logger
}

export function createPairing(options: PairingOptions): Pairing {
  const { storage, settings, identity, devices, revokeTokens, histories, clock, audit, logger } = options
  const pairingRequests = createPairingRequests({
    store: storage.store,
    devices,
    clock,
    audit,
    isRevoked: identity.isRevoked,
    onSeveralSources: ({ deviceUrn, state, sources }) =>
      logger.warn({ deviceUrn, state, sources: sources.length }, 'several addresses ask for the tokens of one sensor'),
    strictSource: settings.pairingStrictSource ? { endTokens: revokeTokens } : undefined,
    onError: (error) => logger.warn({ err: error }, 'could not store which addresses asked for the tokens of a sensor'),
  })
  const consumePairingToken = createConsumePairingToken({
    pairingRequests,
    devices,
    issueDeviceTokens: identity.issueDeviceTokens,
    onPaired: histories.recordPairing,
    revokeTokens,
    sensorIdPolicy: settings.sensorIdPolicy,
    clock,
    sharedCounts: storage.sharedCounts,
  })
  return {
    operations: pairingOperations({
      pairingRequests,
      presses: createPairingPresses({ store: storage.store, clock, windowMs: pairingWindowMs }),
      consumePairingToken,
      devices,
      clock,
    }),
    idle: pairingRequests.idle,
  }
}
