/** The storages that the identity provider stands on: what is told of revocation and of races is told of each of them. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ManualClock } from '../../src/contracts/manual-clock.ts'
import { memoryStorage, openStorage, type Storage } from '../../src/storage.ts'

export type IdentityStorage = Pick<Storage, 'store' | 'directory' | 'revocationFeed'>

export interface StorageUnderTest {
  name: string
  /** A fresh one, which is gone when the test has finished. */
  open(options: { clock: ManualClock }): Promise<IdentityStorage>
}

export const memory: StorageUnderTest = { name: 'memory', open: async ({ clock }) => memoryStorage({ clock }) }

const sqlite: StorageUnderTest = {
  name: 'sqlite',
  async open({ clock }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'posrep-identity-'))
    const storage = await openStorage({
      settings: { memory: false, dataDir, redis: undefined, redisDurability: 'always' },
      clock,
      role: 'server',
    })
    onTestFinished(async () => {
      await storage.close()
      await rm(dataDir, { recursive: true })
    })
    return storage
  },
}

export const storages: StorageUnderTest[] = [memory, sqlite]
