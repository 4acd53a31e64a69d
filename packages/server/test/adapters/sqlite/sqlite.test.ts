import { describe, test } from 'vitest'
import { createSqliteDirectory } from '../../../src/adapters/sqlite/directory.ts'
import { openSqliteEngine, type SqliteEngine } from '../../../src/adapters/sqlite/engine.ts'
import { openSqliteLog } from '../../../src/adapters/sqlite/log/log.ts'
import { createSqliteRecentDeliveries } from '../../../src/adapters/sqlite/recent/recent-deliveries.ts'
import { createSqliteRecentReports } from '../../../src/adapters/sqlite/recent/recent-reports.ts'
import { createSqliteRevocationFeed } from '../../../src/adapters/sqlite/revocation-feed.ts'
import { createSqliteStore } from '../../../src/adapters/sqlite/store.ts'
import { directoryContract } from '../../../src/contracts/directory-contract.ts'
import { logContract } from '../../../src/contracts/log/log-contract.ts'
import { recentDeliveriesContract } from '../../../src/contracts/recent-deliveries-contract.ts'
import { recentReportsContract } from '../../../src/contracts/recent-reports-contract.ts'
import { revocationFeedContract } from '../../../src/contracts/revocation-feed-contract.ts'
import { storeContract } from '../../../src/contracts/store-contract.ts'
import { aFile } from './a-database.ts'

async function subject<P>(create: (engine: SqliteEngine) => P | Promise<P>) {
  const engine = await openSqliteEngine({ file: await aFile() })
  return { port: await create(engine), close: engine.close }
}

describe('sqlite store', () =>
  storeContract(test, ({ clock }) => subject((engine) => createSqliteStore({ engine, clock }))))
describe('sqlite directory', () =>
  directoryContract(test, () => subject((engine) => createSqliteDirectory({ engine }))))
describe('sqlite report log', () =>
  logContract(test, ({ clock }) => subject((engine) => openSqliteLog({ engine, clock, name: 'report' }))))
describe('sqlite delivery log', () =>
  logContract(test, ({ clock }) => subject((engine) => openSqliteLog({ engine, clock, name: 'delivery' }))))
describe('sqlite air log', () =>
  logContract(test, ({ clock }) => subject((engine) => openSqliteLog({ engine, clock, name: 'air' }))))
describe('sqlite recent deliveries', () =>
  recentDeliveriesContract(test, () => subject((engine) => createSqliteRecentDeliveries({ engine }))))
describe('sqlite recent reports', () =>
  recentReportsContract(test, () => subject((engine) => createSqliteRecentReports({ engine }))))
describe('sqlite revocation feed', () =>
  revocationFeedContract(test, ({ clock }) => subject((engine) => createSqliteRevocationFeed({ engine, clock }))))
