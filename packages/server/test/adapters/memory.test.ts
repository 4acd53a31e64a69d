import { describe, test } from 'vitest'
import { createMemoryDirectory } from '../../src/adapters/memory/directory.ts'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createMemoryRecentDeliveries } from '../../src/adapters/memory/recent-deliveries.ts'
import { createMemoryRecentReports } from '../../src/adapters/memory/recent-reports.ts'
import { createMemoryRevocationFeed } from '../../src/adapters/memory/revocation-feed.ts'
import { createMemoryStore } from '../../src/adapters/memory/store.ts'
import { directoryContract } from '../../src/contracts/directory-contract.ts'
import { logContract } from '../../src/contracts/log/log-contract.ts'
import { recentDeliveriesContract } from '../../src/contracts/recent-deliveries-contract.ts'
import { recentReportsContract } from '../../src/contracts/recent-reports-contract.ts'
import { revocationFeedContract } from '../../src/contracts/revocation-feed-contract.ts'
import { storeContract } from '../../src/contracts/store-contract.ts'

describe('memory store', () => storeContract(test, async ({ clock }) => ({ port: createMemoryStore({ clock }) })))
describe('memory directory', () => directoryContract(test, async () => ({ port: createMemoryDirectory() })))
describe('memory log', () => logContract(test, async ({ clock }) => ({ port: createMemoryLog({ clock }) })))
describe('memory recent deliveries', () =>
  recentDeliveriesContract(test, async () => ({ port: createMemoryRecentDeliveries() })))
describe('memory recent reports', () =>
  recentReportsContract(test, async () => ({ port: createMemoryRecentReports() })))
describe('memory revocation feed', () =>
  revocationFeedContract(test, async ({ clock }) => ({ port: createMemoryRevocationFeed({ clock }) })))
