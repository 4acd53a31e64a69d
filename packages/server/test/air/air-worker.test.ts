import { expect, onTestFinished, test, vi } from 'vitest'
import { createMemoryRecentReports } from '../../src/adapters/memory/recent-reports.ts'
import { startAirThread } from '../../src/air/thread/start-air-thread.ts'
import { createAirSnapshots } from '../../src/air/worker/snapshots.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { silentLogger } from '../a-server.ts'
import {
  account,
  anAir,
  anAircraft,
  anAirProcess,
  aReportOf,
  aSensor,
  aText,
  aThread,
  roof1,
  roof2,
  run,
} from './an-air.ts'

test('a report of the pipeline is in the picture after about a second', async () => {
  const { clock, inbox, pictures } = await anAir()
  const picture = await pictures.open(account)
  expect([...picture.tracks()]).toEqual([])

  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 1_500)

  expect([...picture.tracks()].map(({ identifiers }) => identifiers[0]?.id)).toEqual(['461F9C'])
  expect(picture.sensors().map(({ deviceId }) => deviceId)).toEqual([roof1])
})

test('entries stay in the log until a snapshot covers them, and the last one until the picture rests', async () => {
  const { clock, inbox, storage } = await anAir()
  for (let seq = 1; seq <= 3; seq++) {
    await inbox.append(account, roof1, [aReportOf(seq, clock.now(), [anAircraft('461F9C', clock.now())])], false)
    await run(clock, 1_000)
  }
  expect(await storage.airLog.depth(account)).toMatchObject({ waiting: 3 })

  await run(clock, 15_000)
  expect(await storage.airLog.depth(account)).toMatchObject({ waiting: 1 })

  await run(clock, 12 * 60_000)
  expect(await storage.airLog.depth(account)).toMatchObject({ waiting: 0 })
})

test('a picture that rests is read from its snapshot, and continues with the next report', async () => {
  const { clock, inbox, pictures, thread, storage } = await anAir()
  await storage.directory.insert('device', aSensor(roof1))
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 13 * 60_000)
  await expect(thread.request({ kind: 'whole', accountId: account })).rejects.toThrow('not open')

  const picture = await pictures.open(account)
  expect([...picture.tracks()]).toEqual([])
  expect(picture.sensors()).toMatchObject([{ deviceId: roof1, state: 'silent' }])

  await inbox.append(account, roof1, [aReportOf(2, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 6_000)
  expect([...picture.tracks()]).toHaveLength(1)
  expect(picture.sensors()).toMatchObject([{ deviceId: roof1, state: 'live' }])
})

test('a client that returns after nobody followed the picture gets it as a whole', async () => {
  const { clock, inbox, frames } = await anAir()
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  const leave = frames.source.follow(account, () => {})
  await run(clock, 3_000)
  const before = await frames.source.whole(account)
  leave()
  // The track ends.
  await run(clock, 5 * 60_000)

  frames.source.follow(account, () => {})
  const now = await frames.source.whole(account)
  expect(now?.sequence).toBeGreaterThan(before?.sequence ?? 0)
})

test('texts that this process does not have are read from the recent reports, and missing ones are counted', async () => {
  const { clock, storage, dropped, positions } = await anAir()
  const bound = { sinceMs: 0, limit: 100, maxBytes: 1e9, maxBytesOfClient: 1e9 }
  const report = aText([anAircraft('461F9C', clock.now())])
  const kept = { seq: 1, receivedAtMs: clock.now(), report, positions: 1, tags: [] }
  await storage.recentReports.append(roof1, [kept], bound)
  const body = JSON.stringify([
    [
      roof1,
      [
        [1, clock.now(), 0],
        [2, clock.now(), 0],
      ],
    ],
  ])

  await storage.airLog.append([{ queue: account, body }])
  await run(clock, 2_000)

  expect(positions()).toBe(1)
  expect(dropped).toEqual([1])
})

test('reports older than two minutes are skipped and counted', async () => {
  const { clock, storage, ...air } = await anAir()
  await air.worker.stop()
  await air.inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await clock.advance(121_000)
  await air.inbox.append(account, roof1, [aReportOf(2, clock.now(), [anAircraft('ABCDEF', clock.now())])], false)

  const next = anAirProcess({ storage, clock })
  const worker = next.startWorker()
  await run(clock, 2_000)

  expect(next.dropped).toEqual([1])
  expect([...(await next.pictures.open(account)).tracks()].map(({ identifiers }) => identifiers[0]?.id)).toEqual([
    'ABCDEF',
  ])
  const stopped = worker.stop()
  await clock.advance(1_000)
  await stopped
})

/** The first holds the picture. After `kill` it gets no more answers of the log; after `yieldTurn` no more leases. */
async function twoProcesses() {
  const clock = createManualClock()
  const storage = { ...memoryStorage({ clock }), recentReports: createMemoryRecentReports() }
  let isKilled = false
  let hasYielded = false
  const untilKilled = <A extends unknown[], R>(call: (...given: A) => Promise<R>) => {
    return (...given: A) => (isKilled ? new Promise<never>(() => {}) : call(...given))
  }
  const { lease, settle, list } = storage.airLog
  const leaseUnlessYielded: typeof lease = async (given) => (hasYielded ? [] : lease(given))
  const airLog = {
    ...storage.airLog,
    lease: untilKilled(leaseUnlessYielded),
    settle: untilKilled(settle),
    list: untilKilled(list),
  }
  const first = anAirProcess({ storage: { ...storage, airLog }, clock })
  const second = anAirProcess({ storage, clock })
  const kill = () => {
    isKilled = true
  }
  const yieldTurn = () => {
    hasYielded = true
  }
  const { inbox } = first
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  const worker = first.startWorker()
  await run(clock, 2_000)
  const other = second.startWorker()
  onTestFinished(async () => {
    const stopped = other.stop()
    await clock.advance(1_000)
    await stopped
  })
  await run(clock, 4_000)
  expect([await holds(first), await holds(second)]).toEqual([true, false])
  return { worker, kill, yieldTurn, first, second, clock }
}

const holds = async ({ frames }: Pick<ReturnType<typeof anAirProcess>, 'frames'>) =>
  (await frames.source.whole(account)) !== undefined

test('a process that stops hands its pictures over at once', async () => {
  const { worker, second, clock } = await twoProcesses()

  const stopped = worker.stop()
  await run(clock, 1_000)
  await stopped

  expect(await holds(second)).toBe(true)
  expect([...(await second.pictures.open(account)).tracks()]).toHaveLength(1)
})

test('the pictures of a process that was killed are taken over within 15 s', async () => {
  const { kill, second, clock } = await twoProcesses()
  kill()

  await run(clock, 15_500)

  expect(await holds(second)).toBe(true)
  expect([...(await second.pictures.open(account)).tracks()]).toHaveLength(1)
})

test('a process whose lease went to another one has the picture no longer', async () => {
  const { yieldTurn, first, second, clock } = await twoProcesses()
  yieldTurn()
  await run(clock, 8_000)

  expect([await holds(first), await holds(second)]).toEqual([false, true])
  await expect(first.thread.request({ kind: 'whole', accountId: account })).rejects.toThrow('not open')
})

test('a picture that was opened with the request that started the thread is not opened again', async () => {
  const thread = aThread()
  let starts = 0
  let opened = 0
  const request: typeof thread.request = (given) => {
    starts = 1
    if (given.kind === 'open') opened++
    return thread.request(given)
  }
  const { clock, inbox } = await anAir({ thread: { ...thread, starts: () => starts, request } })
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 12_000)

  expect(opened).toBe(1)
})

test('when the thread dies, pictures are opened again from their snapshots and the entries after them', async () => {
  const thread = aThread()
  const { clock, inbox, pictures, errors } = await anAir({ thread })
  for (let seq = 1; seq <= 20; seq++) {
    await inbox.append(account, roof1, [aReportOf(seq, clock.now(), [anAircraft('461F9C', clock.now())])], false)
    await run(clock, 1_000)
  }
  const picture = await pictures.open(account)
  const [before] = picture.tracks()

  thread.die()
  await run(clock, 15_000)

  expect(errors.length).toBeLessThanOrEqual(2)
  expect([...picture.tracks()]).toMatchObject([{ id: before?.id, positions: 20 }])
})

test('while pictures are opened again after the thread died, they cannot be read: unavailable', async () => {
  const thread = aThread()
  const { clock, inbox, frames } = await anAir({ thread })
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 2_000)

  const asked = frames.source.detail(account, 't1')
  thread.die()
  await expect(asked).rejects.toMatchObject({ code: 'unavailable', cause: { name: 'AirThreadEnded' } })
  const notOpen = { code: 'unavailable', cause: { name: 'PictureNotOpen' } }
  await expect(frames.source.whole(account)).rejects.toMatchObject(notOpen)
  await expect(frames.source.history(account, { seconds: 60, limit: 1 })).rejects.toMatchObject(notOpen)
})

test('an entry at which the real thread ends twice is set aside, and what is around it is in the pictures', async () => {
  const clock = createManualClock()
  const terrainUrl = `data:text/javascript,${encodeURIComponent('export default (lat) => { if (lat > 80) process.exit(1) }')}`
  const thread = startAirThread({ maxTargets: 100, separation: 'automatic', terrainUrl, logger: silentLogger, clock })
  onTestFinished(() => thread.close())
  const { inbox, pictures, setAside } = await anAir({ clock, thread })
  const poison = { position: { lat: 81, lon: 24, accuracy: 20 } }
  const idsOf = async (id: string) =>
    [...(await pictures.open(id)).tracks()].map(({ identifiers }) => identifiers[0]?.id).sort()
  let found: unknown
  let isLooking = false
  const look = async () => {
    isLooking = true
    found = await Promise.all([idsOf(account), idsOf('other')]).catch((error: unknown) => error)
    isLooking = false
  }

  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await inbox.append(account, roof1, [aReportOf(2, clock.now(), [anAircraft('ABCDEF', clock.now(), poison)])], false)
  await inbox.append(account, roof1, [aReportOf(3, clock.now(), [anAircraft('123456', clock.now())])], false)
  await inbox.append('other', roof2, [aReportOf(4, clock.now(), [anAircraft('3C6444', clock.now())])], false)

  await vi.waitFor(
    async () => {
      await clock.advance(100)
      // Not awaited: while the thread rests, a request waits until the clock has advanced.
      if (!isLooking) void look()
      expect(found).toEqual([['123456', '461F9C'], ['3C6444']])
    },
    // The clock runs no faster than the real thread.
    { interval: 100 },
  )
  expect(setAside).toEqual([1])
  expect(thread.starts()).toBe(3)
})

test('an entry that cannot be read is set aside, and the next one is in the picture', async () => {
  const { clock, inbox, pictures, setAside, storage } = await anAir()
  await storage.airLog.append([{ queue: account, body: '{' }])
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 2_000)

  expect([...(await pictures.open(account)).tracks()]).toHaveLength(1)
  expect(setAside).toEqual([1])
})

test('a picture whose snapshot cannot be read begins empty', async () => {
  const { clock, inbox, pictures, storage } = await anAir()
  const snapshots = createAirSnapshots({ store: storage.store })
  const head = await snapshots.takeOver(account, undefined)
  if (head) await snapshots.save(account, head, { parts: ['damaged'], seq: 0 })
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 2_000)

  expect([...(await pictures.open(account)).tracks()]).toHaveLength(1)
})

test('after the clock was set back by an hour, a picture with a snapshot and entries of that hour goes on at once', async () => {
  const startMs = Date.UTC(2026, 0, 7, 6)
  const before = createManualClock(startMs + 60 * 60_000)
  const storage = { ...memoryStorage({ clock: before }), recentReports: createMemoryRecentReports() }
  const first = anAirProcess({ storage, clock: before })
  await first.inbox.append(account, roof1, [aReportOf(1, before.now(), [anAircraft('461F9C', before.now())])], false)
  const worker = first.startWorker()
  await run(before, 12_000)
  const stopped = worker.stop()
  await run(before, 1_000)
  await stopped

  const { clock, inbox, pictures } = await anAir({ storage, clock: createManualClock(startMs) })
  await inbox.append(account, roof1, [aReportOf(2, clock.now(), [anAircraft('ABCDEF', clock.now())])], false)
  await run(clock, 5_000)

  const picture = await pictures.open(account)
  expect([...picture.tracks()].map(({ identifiers }) => identifiers[0]?.id)).toEqual(['ABCDEF'])
  expect(picture.timeMs).toBeLessThanOrEqual(clock.now())
})

test('areas that are set are in the picture, also after the picture rested', async () => {
  const { clock, inbox, areas, pictures } = await anAir()
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 2_000)
  const picture = await pictures.open(account)
  const stadium = { type: 'FeatureCollection' as const, features: [anArea('Stadium')] }

  await areas.set(account, stadium)
  await run(clock, 2_000)
  expect(picture.areas()).toEqual(stadium)

  await run(clock, 13 * 60_000)
  expect((await pictures.open(account)).areas()).toEqual(stadium)
})

test('a silent sensor whose device was removed is no longer in the picture', async () => {
  const { clock, inbox, storage, pictures } = await anAir()
  await storage.directory.insert('device', aSensor(roof1))
  for (const urn of [roof1, roof2]) {
    await inbox.append(account, urn, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  }
  await run(clock, 2 * 60_000)

  const picture = await pictures.open(account)
  expect(picture.sensors().map(({ deviceId }) => deviceId)).toEqual([roof1])
})

test('a sensor that was removed leaves the picture with the next update: its contribution, its alert and its row', async () => {
  const { clock, inbox, pictures, afterRemoval, storage } = await anAir()
  for (const urn of [roof1, roof2]) await storage.directory.insert('device', aSensor(urn))
  const picture = await pictures.open(account)
  picture.watch(() => {})
  const report = (urn: string, seq: number) =>
    inbox.append(account, urn, [aReportOf(seq, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await report(roof2, 1)
  for (let seq = 1; seq <= 15; seq++) {
    await report(roof1, seq)
    await run(clock, 5_000)
  }
  const contributors = () => [...picture.tracks()].flatMap(({ sensors }) => sensors.map(({ deviceId }) => deviceId))
  expect(contributors()).toEqual([roof1, roof2])
  expect(picture.alerts()).toMatchObject([{ kind: 'silentSensor', state: 'active' }])

  await afterRemoval(aSensor(roof2))
  await run(clock, 3_000)

  expect(contributors()).toEqual([roof1])
  expect(picture.sensors().map(({ deviceId }) => deviceId)).toEqual([roof1])
  expect(picture.alerts()).toMatchObject([{ kind: 'silentSensor', state: 'ended' }])
})

test('a sensor leaves the picture also when its removal waited for longer than two minutes', async () => {
  const { clock, storage, ...air } = await anAir()
  await storage.directory.insert('device', aSensor(roof1))
  await air.inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 15_000)
  const stopped = air.worker.stop()
  await run(clock, 1_000)
  await stopped
  await air.afterRemoval(aSensor(roof1))
  await clock.advance(121_000)

  const next = await anAir({ storage, clock })
  await run(clock, 2_000)
  expect((await next.pictures.open(account)).sensors()).toEqual([])
  expect(next.dropped).toEqual([])
})

test('an account of which only a sensor was removed has no picture to hold', async () => {
  const { clock, afterRemoval, storage } = await anAir()
  await afterRemoval(aSensor(roof2))
  await run(clock, 25_000)

  expect(await storage.airLog.depth(account)).toMatchObject({ waiting: 0 })
})

test('the pictures of two accounts have nothing in common', async () => {
  const { clock, inbox, pictures } = await anAir()
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  const rival = 'urn:aa:device:rival:roof1'
  await inbox.append('other', rival, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 2_000)

  for (const [id, urn] of [
    [account, roof1],
    ['other', rival],
  ] as const) {
    const [track] = (await pictures.open(id)).tracks()
    expect(track?.sensors.map(({ deviceId }) => deviceId)).toEqual([urn])
  }
})

test('a track has its history and decisions where the tracker runs', async () => {
  const { clock, inbox, pictures } = await anAir()
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 2_000)
  const picture = await pictures.open(account)
  const [track] = picture.tracks()

  expect(await picture.detail(track?.id ?? '')).toMatchObject({
    track: { id: track?.id },
    history: [{ deviceId: roof1 }],
  })
  expect(await picture.detail('t999')).toBeUndefined()
})

function anArea(name: string) {
  return {
    type: 'Feature' as const,
    id: name.toLowerCase(),
    properties: { name },
    geometry: {
      type: 'Polygon' as const,
      coordinates: [
        [
          [24, 60],
          [24.1, 60],
          [24.1, 60.1],
          [24, 60],
        ],
      ] as [number, number][][],
    },
  }
}

test('what a flood makes the picture leave out is counted once, also across a restart of the thread', async () => {
  const thread = aThread({ maxTargets: 5 })
  const { clock, inbox, leftOut, now } = await anAir({ thread })
  const flood = (seq: number) => {
    const others = Array.from({ length: 8 }, (_, n) =>
      anAircraft(`46${seq}F9${n}`, clock.now(), { position: { lat: 10 + n, lon: 24, accuracy: 20 } }),
    )
    return inbox.append(account, roof1, [aReportOf(seq, clock.now(), others)], false)
  }
  await flood(1)
  await run(clock, 12_000)
  expect([leftOut.map(({ evicted }) => evicted), now()?.targets]).toEqual([[3], 5])

  thread.die()
  await flood(2)
  await run(clock, 15_000)
  expect(leftOut.reduce((sum, { evicted }) => sum + evicted, 0)).toBe(3 + 8)
})

test('each snapshot that is stored is counted', async () => {
  const { clock, inbox, storedSnapshots } = await anAir()
  await inbox.append(account, roof1, [aReportOf(1, clock.now(), [anAircraft('461F9C', clock.now())])], false)
  await run(clock, 8_000)
  expect(storedSnapshots()).toBe(0)
  await run(clock, 16_000)
  expect(storedSnapshots()).toBe(2)
})
