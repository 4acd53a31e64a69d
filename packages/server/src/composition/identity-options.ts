/** What the identity provider needs of settings and storage. */
import type { IdentityOptions } from '../identity/identity.ts'
import type { Logger } from '../ports/logger.ts'
import type { Settings } from '../settings/setting-table.ts'
import type { Storage } from './storage/storage-ports.ts'

export interface IdentityParts {
  storage: Pick<Storage, 'store' | 'directory' | 'revocationFeed' | 'sharedCounts'>
  settings: Settings
  logger: Logger
}

export function toIdentityOptions({ storage, settings, logger }: IdentityParts) {
  const { store, directory, revocationFeed, sharedCounts } = storage
  return {
    ...{ store, directory, revocationFeed, sharedCounts },
    refreshGraceMs: settings.refreshGraceSeconds * 1_000,
    allowLoopbackRedirects: settings.allowLoopbackRedirects,
    canSignUp: settings.signUp === 'on',
    sensorIdPolicy: settings.sensorIdPolicy,
    onError: (error: unknown) => logger.warn({ err: error }, 'could not read revocations or keys'),
  } satisfies Partial<IdentityOptions>
}
