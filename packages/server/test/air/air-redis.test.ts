/**
 * Two processes on one Redis: one of them holds the picture of an account, the other one takes over, and both can show
 * it.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import { hangsAfterMs } from '../../../../testing/real-time.ts'
import { createRedisAnnouncements } from '../../src/adapters/redis/announcements.ts'
import { createRedisDirectory } from '../../src/adapters/redis/directory.ts'
import { openRedisParts } from '../../src/adapters/redis/link/open-redis.ts'
import { openRedisPubSub } from '../../src/adapters/redis/link/pub-sub.ts'
import { createRedisLog } from '../../src/adapters/redis/log/log.ts'
import { createRedisRecentReports } from '../../src/adapters/redis/recent/recent-reports.ts'
import { createRedisStore } from '../../src/adapters/redis/store.ts'
import { createRemoteSource } from '../../src/air/pictures/remote-source.ts'
import { servePictures } from '../../src/air/pictures/serve-pictures.ts'
import { createAirSnapshots } from '../../src/air/worker/snapshots.ts'
import { memoryStorage } from '../../src/composition/storage/storage.ts'
import { createManualClock, type ManualClock } from '../../src/contracts/manual-clock.ts'
import { aRedisServer, isRedisWanted, type RedisServer, testWithRedisServer } from '../adapters/redis/redis-server.ts'
import { account, anAircraft, anAirProcess, aReportOf, roof1 } from './an-air.ts'

const logger = { info: () => {}, warn: () => {} }
let redis: RedisServer
beforeAll(async () => {
  if (isRedisWanted) redis = await aRedisServer()
})
afterAll(() => redis?.stop())

async function aProcess(clock: ManualClock, prefix: string) {
  const parts = await openRedisParts({ url: redis.url, logger, prefix, answerMs: hangsAfterMs })
  const { service: link } = parts
  const pubSub = await openRedisPubSub({ parts, logger })
  const close = async () => {
    await Promise.all([parts.close(), pubSub.close()])
  }
  onTestFinished(close)
  const storage = {
    ...memoryStorage({ clock }),
    store: createRedisStore({ link, clock }),
    directory: createRedisDirectory({ link }),
    airLog: createRedisLog({ link, clock, name: 'air', pubSub }),
    recentReports: createRedisRecentReports({ link }),
  }
  const announcements = createRedisAnnouncements({ link, pubSub })
  const self = randomUUID()
  const air = anAirProcess({ storage, clock, remote: createRemoteSource({ announcements, clock, self }) })
  onTestFinished(servePictures({ own: air.frames.source, announcements, clock, self }))
  return {
    ...air,
    storage,
    close,
    startWorker() {
      const worker = air.startWorker()
      onTestFinished(async () => {
        const stopped = worker.stop()
        await clock.advance(2_000)
        await stopped
      })
    },
  }
}

type Process = Awaited<ReturnType<typeof aProcess>>

/** Advances the time until the condition holds: Redis takes real time to answer. */
function until(clock: ManualClock, condition: () => unknown): Promise<void> {
  return vi.waitFor(
    async () => {
      await clock.advance(100)
      await condition()
    },
    { interval: 5 },
  )
}

/**
 * Asks again while the other process has not answered: here its 500 ms are over sooner than Redis passes the question
 * on.
 */
async function untilAnswered<T>(clock: ManualClock, ask: () => Promise<T | false | undefined>): Promise<T> {
  for (;;) {
    let isOver = false
    const asked = ask().finally(() => (isOver = true))
    await until(clock, () => expect(isOver).toBe(true))
    const answer = await asked
    if (answer) return answer
  }
}

async function report({ inbox }: Process, clock: ManualClock, seq: number): Promise<void> {
  await inbox.append(account, roof1, [aReportOf(seq, clock.now(), [anAircraft('461F9C', clock.now())])], false)
}

function positionsOf({ thread }: Process) {
  return thread
    .request({ kind: 'whole', accountId: account })
    .then((whole) => JSON.parse(whole).tracks.map((track: { positions: number }) => track.positions))
}

testWithRedisServer('a process that takes over an account continues its picture', async () => {
  const clock = createManualClock()
  const prefix = `posrep-${randomUUID()}:`
  const first = await aProcess(clock, prefix)
  first.startWorker()
  for (let seq = 1; seq <= 15; seq++) {
    await report(first, clock, seq)
    await until(clock, async () => expect(await positionsOf(first)).toEqual([seq]))
  }
  await first.close()

  const second = await aProcess(clock, prefix)
  second.startWorker()
  await report(second, clock, 16)
  // The lease of the first process has to expire.
  await until(clock, async () => expect(await positionsOf(second)).toEqual([16]))
})

testWithRedisServer('a process that has lost its lease does not overwrite the snapshot of its successor', async () => {
  const clock = createManualClock()
  const prefix = `posrep-${randomUUID()}:`
  const [first, second] = [await aProcess(clock, prefix), await aProcess(clock, prefix)]
  const { store } = first.storage
  const early = createAirSnapshots({ store, holder: 'first' })
  const late = createAirSnapshots({ store: second.storage.store, holder: 'second' })

  const held = await early.takeOver(account, await early.find(account))
  const saved = held && (await early.save(account, held, { parts: ['old'], seq: 1 }))
  const taken = await late.takeOver(account, await late.find(account))
  const newer = taken && (await late.save(account, taken, { parts: ['new'], seq: 2 }))

  expect(saved && (await early.save(account, saved, { parts: ['stale'], seq: 9 }))).toBeUndefined()
  expect(newer && (await early.read(account, newer))).toEqual(['new'])
  expect(await early.find(account)).toEqual(newer)
})

testWithRedisServer('a process shows the picture that another one holds', async () => {
  const clock = createManualClock()
  const prefix = `posrep-${randomUUID()}:`
  const [worker, ui] = [await aProcess(clock, prefix), await aProcess(clock, prefix)]
  worker.startWorker()
  await report(worker, clock, 1)
  await until(clock, async () => expect(await positionsOf(worker)).toEqual([1]))

  const opening = ui.pictures.open(account)
  let isOpen = false
  void opening.then(() => (isOpen = true))
  await until(clock, () => expect(isOpen).toBe(true))
  const picture = await opening
  const [track] = picture.tracks()
  expect(track?.positions).toBe(1)
  const sequence = picture.sequence

  await report(worker, clock, 2)
  await until(clock, () => expect([...picture.tracks()].map(({ positions }) => positions)).toEqual([2]))
  expect(picture.sequence).toBeGreaterThan(sequence)

  const detail = await untilAnswered(clock, () => picture.detail(track?.id ?? ''))
  expect(detail).toMatchObject({ track: { positions: 2 } })
  const history = await untilAnswered(clock, async () => {
    const found = await picture.history({ seconds: 600, limit: 10 })
    return found.paths.length > 0 && found
  })
  expect(history.paths).toHaveLength(1)
})
