import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStorage } from '../../src/composition/storage/storage.ts'
import type { Storage } from '../../src/composition/storage/storage-ports.ts'
import { createManualClock, type ManualClock } from '../../src/contracts/manual-clock.ts'
import { aFolder } from '../adapters/sqlite/a-database.ts'
import { account, anAir, anAircraft, anAirProcess, aReportOf, aSensor, roof1, roof2 } from './an-air.ts'

type Air = Pick<ReturnType<typeof anAirProcess>, 'inbox' | 'thread'>

/** Two sensors report three aircraft in the seconds from `first` to before `end`. */
async function report(air: Air, clock: ManualClock, storage: Storage, first: number, end: number): Promise<void> {
  for (let second = first; second < end; second++) {
    const atMs = clock.now()
    for (const urn of [roof1, roof2]) {
      const positions = ['461F9C', 'ABCDEF', '123456'].map((icao) => anAircraft(icao, atMs - 400))
      await air.inbox.append(account, urn, [aReportOf(second + 1, atMs, positions)], false)
    }
    for (let n = 0; n < 10; n++) {
      await clock.advance(100)
      // The database answers in order, so earlier calls have been answered, too.
      await storage.store.get('none').catch(() => undefined)
    }
  }
}

async function readPicture({ thread }: Air) {
  const whole = JSON.parse(await thread.request({ kind: 'whole', accountId: account }))
  return { tracks: whole.tracks, alerts: whole.alerts, sensors: whole.sensors }
}

test('a worker that is killed in mid-stream leaves the same picture, after its successor has caught up', async () => {
  const startMs = Date.UTC(2026, 0, 7, 12, 0, 0)
  const untouched = await anAir({ clock: createManualClock(startMs) })
  await report(untouched, untouched.clock, untouched.storage, 0, 25)
  await untouched.clock.advance(3_000)
  await report(untouched, untouched.clock, untouched.storage, 25, 40)

  const folder = join(await aFolder(), 'data')
  const clock = createManualClock(startMs)
  const settings = { memory: false, dataDir: folder, redis: undefined, redisDurability: 'always' } as const
  const first = await openStorage({ settings, clock, role: 'server' })
  await first.directory.insert('device', aSensor(roof1))
  const killed = anAirProcess({ storage: first, clock })
  const killedWorker = killed.startWorker()
  await report(killed, clock, first, 0, 25)
  expect((await first.airLog.depth(account)).waiting).toBeGreaterThan(2)
  // As after kill -9: what it holds in memory is gone, and it settles nothing.
  await first.close()
  await clock.advance(3_000)

  const second = await openStorage({ settings, clock, role: 'server' })
  onTestFinished(() => second.close())
  const next = anAirProcess({ storage: second, clock })
  const nextWorker = next.startWorker()
  onTestFinished(async () => {
    const stopped = Promise.all([killedWorker.stop(), nextWorker.stop()])
    await clock.advance(2_000)
    await stopped
  })
  await report(next, clock, second, 25, 40)

  expect(await readPicture(next)).toEqual(await readPicture(untouched))
  expect((await readPicture(next)).tracks).toHaveLength(3)
})
