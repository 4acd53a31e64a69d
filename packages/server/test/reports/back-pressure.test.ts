import { expect, test } from 'vitest'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError } from '../../src/errors.ts'
import type { NewEntry } from '../../src/ports/storage/log.ts'
import { type BackPressureOptions, createBackPressure } from '../../src/reports/back-pressure.ts'

const queue = 'urn:aa:device:fleet:roof1'
const report = { queue, body: '{"positions":[]}' }

/** A log whose appends can wait or fail, and that counts how often its depth is read. */
function aReportLog({ backlog = 3, bytesOfClient = () => 1_000_000, ...limits }: Partial<BackPressureOptions> = {}) {
  const clock = createManualClock()
  const log = createMemoryLog({ clock })
  let held: (() => void)[] | undefined
  let heldQueue: string | undefined
  let down = false
  const asked = { depth: 0 }
  const reportLog: BackPressureOptions['reportLog'] = {
    async append(entries) {
      if (down) throw new ApiError('unavailable', 'down')
      if (held && (heldQueue ?? entries[0]?.queue) === entries[0]?.queue)
        await new Promise<void>((resolve) => held?.push(resolve))
      return log.append(entries)
    },
    async depth() {
      asked.depth++
      if (down) throw new ApiError('unavailable', 'down')
      return log.depth()
    },
    bytesOfClient: log.bytesOfClient,
  }
  const { append } = createBackPressure({ reportLog, clock, backlog, bytesOfClient, ...limits })
  return {
    clock,
    asked,
    append: (more: Partial<NewEntry> = {}) => append({ ...report, ...more }),
    stored: async () => (await log.depth()).waiting,
    async process() {
      for (const { queue, fence, entries } of await log.lease({ queues: 10, entries: 100, leaseMs: 1_000 }))
        await log.settle({ queue, fence }, { accepted: entries.map(({ seq }) => seq) })
    },
    /** @param queue Default: all queues. */
    hold(queue?: string) {
      held = []
      heldQueue = queue
    },
    letGo() {
      const all = held ?? []
      held = undefined
      for (const resolve of all) resolve()
    },
    fail: (is: boolean) => void (down = is),
  }
}

const unavailable = (after: string) =>
  expect.objectContaining({ code: 'unavailable', headers: { 'Retry-After': after } })

test('while more reports wait than the backlog allows, reports are refused with Retry-After and not stored', async () => {
  const { append, clock, stored } = aReportLog({ backlog: 3 })
  for (let n = 0; n < 4; n++) await append()
  await clock.advance(250)
  await append()

  await expect(append()).rejects.toEqual(unavailable('5'))
  await clock.advance(250)
  await expect(append()).rejects.toEqual(unavailable('5'))
  expect(await stored()).toBe(5)
})

test('the next report is accepted when the backlog is short enough again', async () => {
  const { append, clock, process, stored } = aReportLog({ backlog: 3 })
  for (let n = 0; n < 4; n++) await append()
  await clock.advance(250)
  await append()
  await expect(append()).rejects.toEqual(unavailable('5'))

  await process()
  await clock.advance(250)
  await append()
  expect(await stored()).toBe(1)
})

test('a client whose waiting reports have too many bytes is refused, and other clients are not', async () => {
  const { append, clock, process, stored } = aReportLog({ backlog: 100, bytesOfClient: () => 2 * report.body.length })
  for (let n = 0; n < 3; n++) await append({ queue: `urn:aa:device:fleet:roof${n}` })
  await clock.advance(250)
  await append()

  await expect(append()).rejects.toEqual(unavailable('5'))
  await append({ queue: 'urn:aa:device:rival:roof1' })
  expect(await stored()).toBe(5)

  await process()
  await clock.advance(250)
  await append()
})

test('the depth of the log is read for a small part of the reports, and not while none arrive', async () => {
  const { append, clock, asked } = aReportLog({ backlog: 1_000 })
  for (let n = 0; n < 100; n++) {
    await append()
    await clock.advance(10)
  }
  const { depth } = asked
  expect(depth).toBeGreaterThan(1)
  expect(depth).toBeLessThan(20)
  await clock.advance(60_000)
  expect(asked.depth).toBe(depth)
})

test('reports are refused while an append takes more than 2 s, and are accepted afterwards', async () => {
  const { append, clock, hold, letGo, stored } = aReportLog()
  hold()
  const slow = append()
  await clock.advance(2_000)
  const justInTime = append()
  await clock.advance(1)
  await expect(append()).rejects.toEqual(unavailable('1'))

  letGo()
  await Promise.all([slow, justInTime])
  await append()
  expect(await stored()).toBe(3)
})

test('an append that takes more than 2 s does not stop others while later ones succeed', async () => {
  const { append, clock, hold, letGo } = aReportLog()
  hold('urn:aa:device:hung:roof1')
  const hung = append({ queue: 'urn:aa:device:hung:roof1' })
  await clock.advance(1_000)
  await append()
  await clock.advance(1_500)
  await append()

  letGo()
  await hung
})

const kibibyte = 1_024
const of = (client: string, kibibytes: number) => ({
  queue: `urn:aa:device:${client}:roof1`,
  body: 'x'.repeat(kibibytes * kibibyte),
})

test('of the characters that are being appended, a client alone may have half, and another client finds room', async () => {
  const { append, clock, hold, letGo } = aReportLog({ maxInFlight: 400 * kibibyte })
  hold()
  const taken = [append(of('fleet', 100)), append(of('fleet', 100))]
  await clock.advance(0)
  await expect(append(of('fleet', 1))).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'The server is receiving too many reports of this client at once; nothing was stored, send it again in 1 s',
  })
  taken.push(append(of('rival', 100)))
  await clock.advance(0)

  letGo()
  await Promise.all(taken)
  await append(of('fleet', 100))
})

test('while many clients fill what can be appended, another one is refused a long report and may append a short one', async () => {
  const { append, clock, hold, letGo } = aReportLog({ maxInFlight: 400 * kibibyte })
  hold()
  const taken = Array.from({ length: 5 }, (_, n) => append(of(`rival${n}`, 100)))
  await clock.advance(0)
  await expect(append(of('fleet', 64))).rejects.toEqual(unavailable('1'))
  taken.push(append(of('fleet', 63)))
  await clock.advance(0)
  await expect(append(of('fleet', 1))).rejects.toEqual(unavailable('1'))

  letGo()
  await Promise.all(taken)
  await append(of('fleet', 64))
})

test('when the store is down its own error is returned, and the next report is tried again', async () => {
  const { append, clock, fail, stored } = aReportLog()
  fail(true)
  for (let n = 0; n < 3; n++) {
    await expect(append()).rejects.toMatchObject({ code: 'unavailable', message: 'down' })
    await clock.advance(250)
  }
  fail(false)
  await append()
  expect(await stored()).toBe(1)
})
