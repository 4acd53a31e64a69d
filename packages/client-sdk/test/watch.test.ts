import { expect, test, vi } from 'vitest'
import { ApiError, type RecentPositionReport, type RecentPositionReportList } from '../src/index.ts'
import { type WatchOptions, watchRecent } from '../src/watch.ts'
import { aClock, nowMs, urn } from './builders.ts'

test('only reports that arrive after the start are received, each once, in their order', async () => {
  const { service, received, clock } = aWatch()
  service.add(aReport('before', -1_000))
  await clock.advance(0)

  service.add(aReport('a', 0))
  service.add(aReport('b', 500))
  await clock.advance(2_000)
  await clock.advance(6_000)
  service.add(aReport('c', 7_000))
  await clock.advance(2_000)

  expect(received()).toEqual(['a', 'b', 'c'])
})

test('many reports just before the start are not taken for new ones', async () => {
  const { service, received, clock } = aWatch()
  for (let n = 0; n < 250; n += 1) service.add(aReport(`before-${n}`, n))
  await clock.advance(0)

  service.add(aReport('a', 300))
  await clock.advance(4_000)

  expect(received()).toEqual(['a'])
})

test('with "history" the reports of the window come first, oldest first, from all pages', async () => {
  const { service, received, clock } = aWatch({ history: true })
  const names = Array.from({ length: 250 }, (_, n) => `r${n}`)
  for (const [n, name] of names.entries()) service.add(aReport(name, n * 1_000 - 300_000))

  await clock.advance(0)
  await clock.advance(2_000)

  expect(received()).toEqual(names)
})

test.each([1, 5, 150])(
  'with a "history" of %i, that many of the newest come first, and none is repeated',
  async (history) => {
    const { service, received, clock } = aWatch({ history })
    const names = Array.from({ length: 250 }, (_, n) => `r${n}`)
    for (const [n, name] of names.entries()) service.add(aReport(name, n * 1_000 - 300_000))

    await clock.advance(0)
    service.add(aReport('a', 0))
    await clock.advance(4_000)

    expect(received()).toEqual([...names.slice(-history), 'a'])
    expect(service.listRecentReports.mock.calls.filter(([, options]) => options?.after)).toHaveLength(
      history > 100 ? 1 : 0,
    )
  },
)

test('more reports than a page, between two polls, are all received', async () => {
  const { service, received, clock } = aWatch()
  await clock.advance(0)
  const names = Array.from({ length: 230 }, (_, n) => `r${n}`)
  for (const [n, name] of names.entries()) service.add(aReport(name, n))

  await clock.advance(2_000)

  expect(received()).toEqual(names)
})

test('a report that becomes visible after a newer one is received', async () => {
  const { service, received, clock } = aWatch()
  await clock.advance(0)
  service.add(aReport('newer', 5_000))
  await clock.advance(2_000)

  service.add(aReport('older', 0))
  await clock.advance(2_000)

  expect(received()).toEqual(['newer', 'older'])
})

test('reports of the same millisecond that differ are different', async () => {
  const { service, received, clock } = aWatch()
  await clock.advance(0)

  service.add(aReport('a', 0))
  service.add(aReport('b', 0))
  await clock.advance(4_000)

  expect(received()).toEqual(['a', 'b'])
})

test('a quiet device costs one short list per poll', async () => {
  const { service, clock } = aWatch({ intervalMs: 500 })
  await clock.advance(2_000)

  expect(service.listRecentReports.mock.calls.map(([, options]) => options?.limit)).toEqual(Array(5).fill(100))
})

test('while the service is busy it polls less often, at most every minute, and then goes on', async () => {
  const { service, received, clock } = aWatch()
  await clock.advance(0)
  service.fail(new ApiError('unreachable', 'no answer'))
  await clock.advance(2_000)
  const polls: number[] = []
  for (const pauseMs of [4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    await clock.advance(pauseMs - 1)
    polls.push(service.listRecentReports.mock.calls.length)
    await clock.advance(1)
  }
  expect(polls).toEqual([2, 3, 4, 5, 6, 7])

  service.fail(undefined)
  service.add(aReport('a', 0))
  await clock.advance(60_000)
  service.add(aReport('b', 1))
  await clock.advance(2_000)
  expect(received()).toEqual(['a', 'b'])
})

test('Retry-After is obeyed', async () => {
  const { service, clock } = aWatch()
  service.fail(new ApiError('too_many_requests', 'slower', { retryAfterMs: 20_000 }))
  await clock.advance(19_999)
  expect(service.listRecentReports).toHaveBeenCalledTimes(1)

  await clock.advance(1)

  expect(service.listRecentReports).toHaveBeenCalledTimes(2)
})

test('another error ends the iteration with it', async () => {
  const { service, clock, ended } = aWatch()
  const gone = new ApiError('not_found', 'gone')
  service.fail(gone)

  await clock.advance(0)

  expect(await ended).toBe(gone)
})

test('a signal ends the iteration without an error, while it waits and while it polls', async () => {
  for (const isPolling of [false, true]) {
    const abort = new AbortController()
    const { service, clock, ended } = aWatch({ signal: abort.signal })
    if (isPolling) service.hang()
    await clock.advance(0)

    abort.abort()

    expect(await ended).toBe('ended')
    expect(clock.waiting()).toBe(0)
  }
})

test('an iteration that is left stops polling', async () => {
  const { service, clock } = aWatch({ leaveAfter: 1 })
  await clock.advance(0)
  service.add(aReport('a', 0))
  await clock.advance(2_000)
  const { length } = service.listRecentReports.mock.calls

  await clock.advance(60_000)

  expect(service.listRecentReports).toHaveBeenCalledTimes(length)
})

test('an interval under 250 ms is refused', async () => {
  const watch = watchRecent({ listRecentReports: vi.fn() }, urn, { intervalMs: 100 })
  await expect(watch.next()).rejects.toThrow('"intervalMs" must be 250 or more, got 100')
})

function aReport(name: string, afterMs: number): RecentPositionReport {
  const positions = [{ id: name, sourceTimeStamp: '2026-01-07T12:00:00.000Z', position: { lat: 60.3, lon: 24.9 } }]
  return { receivedTimeStamp: new Date(nowMs + afterMs).toISOString(), positions, tags: [] }
}

/** A service with one device, and a watch of it that notes what it receives. */
function aWatch({ leaveAfter = Number.POSITIVE_INFINITY, ...options }: WatchOptions & { leaveAfter?: number } = {}) {
  const reports: RecentPositionReport[] = []
  let failure: Error | undefined
  let isHanging = false
  const service = {
    /** Inserted by its time, newest first. */
    add(report: RecentPositionReport) {
      reports.unshift(report)
      reports.sort((a, b) => Date.parse(b.receivedTimeStamp) - Date.parse(a.receivedTimeStamp))
    },
    fail: (error: Error | undefined) => void (failure = error),
    hang: () => void (isHanging = true),
    listRecentReports: vi.fn(
      async (
        _urn: string,
        {
          limit = 10_000,
          after = '0',
          signal,
        }: { limit?: number; after?: string; signal?: AbortSignal | undefined } = {},
      ): Promise<RecentPositionReportList> => {
        if (isHanging) {
          return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        }
        if (failure) throw failure
        const end = Number(after) + limit
        const next = end < reports.length ? { next: String(end) } : {}
        return { data: reports.slice(Number(after), end), ...next }
      },
    ),
  }
  const clock = aClock()
  const names: string[] = []
  const follow = async () => {
    await Promise.resolve() // a test may change the service before the first poll
    for await (const { positions } of watchRecent(service, urn, { clock, ...options })) {
      names.push(positions[0]?.id ?? '')
      if (names.length >= leaveAfter) break
    }
    return 'ended'
  }
  const ended = follow().catch((error: unknown) => error)
  return { service, clock, ended, received: () => names }
}
