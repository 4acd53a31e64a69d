import { describe, test } from 'vitest'
import { openSqliteEngine } from '../../../../src/adapters/sqlite/engine.ts'
import { createSqliteReportFeed } from '../../../../src/adapters/sqlite/recent/report-feed.ts'
import { reportFeedFacts } from '../../report-feed-facts.ts'
import { aFile, anOpenDatabase } from '../a-database.ts'

describe('sqlite report feed beside a server', () =>
  reportFeedFacts(test, async () => {
    const file = await aFile()
    const { log, recent } = await anOpenDatabase({ file })
    const engine = await openSqliteEngine({ file, role: 'tool' })
    return { log, recent, openFeed: createSqliteReportFeed({ engine }), close: () => engine.close() }
  }))
