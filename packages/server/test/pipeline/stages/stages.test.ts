import { expect, test } from 'vitest'
import { createMemoryLog } from '../../../src/adapters/memory/log.ts'
import { createMemoryRecentReports } from '../../../src/adapters/memory/recent-reports.ts'
import type { AirInbox } from '../../../src/air/log/air-inbox.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { pipelineStages } from '../../../src/pipeline/stages/stages.ts'
import { mendReport } from '../../../src/reports/mend/mend-report.ts'

const namesWith = (...names: string[]) => namesOf({ names })

function namesOf({ names = [], inbox }: { names?: string[]; inbox?: Pick<AirInbox, 'append'> }) {
  const clock = createManualClock()
  return pipelineStages({
    custom: names.map((name) => ({ name, run() {} })),
    recentReports: createMemoryRecentReports(),
    deliveryLog: createMemoryLog({ clock }),
    clock,
    metricWindowMs: 3_600_000,
    recentBound: () => ({ limit: 100, maxBytes: 1_000_000, maxBytesOfClient: 1_000_000 }),
    mend: mendReport,
    inbox,
  }).map(({ name }) => name)
}

test("an integrator's stages run after the stages that tag and before the stages that store and relay", () => {
  expect(namesWith('geofence', 'archive')).toEqual([
    'de-duplicate',
    'tag',
    'geofence',
    'archive',
    'keep-recent',
    'route',
  ])
})

test('the air picture gets the reports last, so that relays do not wait for it', () => {
  expect(namesOf({ inbox: { append: async () => {} } }).slice(-3)).toEqual(['keep-recent', 'route', 'air'])
})

test.each([['tag'], ['']])('a stage cannot be called "%s"', (name) => {
  expect(() => namesWith(name)).toThrow(`got "${name}"`)
})
