import { describe, expect, test } from 'vitest'
import { createMemoryLog, type MemoryLogOptions } from '../../../src/adapters/memory/log.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import type { NewEntry } from '../../../src/ports/storage/log.ts'

/** Room for 16 entries of 1,800 bytes, which count as 2,000. */
const roomBytes = 32_000
const hostile = (device: string) => `urn:aa:device:hostile:${device}`
const good = 'urn:aa:device:good:1'
const anEntry = (queue: string, text = '1'): NewEntry => ({ queue, body: text.padEnd(1_800) })

function aLog(options: Partial<MemoryLogOptions> = {}) {
  const log = createMemoryLog({ clock: createManualClock(), roomBytes, ...options })
  const waiting = async (queue: string) => (await log.list(queue, { limit: 100 })).map(({ body }) => body.trim())
  const bury = async (count: number) => {
    for (const lease of await log.lease({ queues: 100, entries: count, leaseMs: 1_000 })) {
      await log.settle(lease, { accepted: [], buried: lease.entries.map(({ seq }) => ({ seq, reason: 'no' })) })
    }
  }
  return { log, waiting, bury }
}

describe('a log in memory without room', () => {
  test('drops the oldest entries of the client with the most bytes, and says of which queues', async () => {
    const { log, waiting } = aLog()
    await log.append([anEntry(good, 'first'), anEntry(good, 'second')])
    for (let n = 0; n < 14; n++) await log.append([anEntry(hostile(`${n % 2}`), `${n}`)])

    expect(await log.append([anEntry(good, 'third')])).toEqual({
      dropped: 0,
      others: [{ queue: hostile('0'), entries: 1 }],
    })
    expect(await waiting(good)).toEqual(['first', 'second', 'third'])
    expect((await waiting(hostile('0')))[0]).toBe('2')
  })

  test('counts what the queue itself loses', async () => {
    const { log } = aLog()
    for (let n = 0; n < 16; n++) expect(await log.append([anEntry(good)])).toEqual({ dropped: 0 })
    expect(await log.append([anEntry(good)])).toEqual({ dropped: 3 })
  })

  test('drops buried entries of that client before entries that wait', async () => {
    const { log, bury, waiting } = aLog()
    for (let n = 0; n < 4; n++) await log.append([anEntry(hostile('1'), `${n}`)])
    await bury(2)
    for (let n = 4; n < 16; n++) await log.append([anEntry(hostile('2'), `${n}`)])

    expect(await log.append([anEntry(good), anEntry(good)])).toMatchObject({
      others: [{ queue: hostile('1'), entries: 2 }],
    })
    expect([await waiting(hostile('1')), (await waiting(hostile('2'))).length]).toEqual([['2', '3'], 12])
    expect((await log.depth()).buried).toBe(0)
  })

  test('drops buried entries of the client that is the largest when the first one has lost enough', async () => {
    const { log, bury } = aLog()
    for (let n = 0; n < 7; n++) await log.append([anEntry(good)])
    await bury(7)
    for (let n = 0; n < 8; n++) await log.append([anEntry(hostile('1'))])

    const many = Array.from({ length: 12 }, (_, n) => anEntry(`urn:aa:device:other${n}:1`))
    const { others = [] } = await log.append(many)
    expect(others.map(({ queue }) => queue)).toEqual(expect.arrayContaining([hostile('1'), good]))
    expect((await log.depth()).waiting + (await log.depth()).buried).toBeLessThanOrEqual(16)
  })

  test('counts many small entries, too, and keeps within the room whatever is appended', async () => {
    const { log } = aLog()
    for (let n = 0; n < 1_000; n++) await log.append([{ queue: hostile(`${n}`), body: '1' }])
    expect((await log.depth()).waiting).toBeLessThanOrEqual(roomBytes / 200)
  })

  test('has room again when entries are accepted or deleted', async () => {
    const { log, bury } = aLog()
    for (let round = 0; round < 50; round++) {
      for (let n = 0; n < 4; n++) await log.append([anEntry(good)])
      await bury(1)
      const [lease = expect.unreachable()] = await log.lease({ queues: 1, entries: 9, leaseMs: 1_000 })
      await log.unbury(await log.oldestBuried(good, 1))
      await log.settle(lease, { accepted: lease.entries.map(({ seq }) => seq) })
      await bury(9)
      await log.forgetBuried(Number.POSITIVE_INFINITY)
    }
    for (let n = 0; n < 16; n++) expect(await log.append([anEntry(good)])).toEqual({ dropped: 0 })
  })
})

describe('a log in memory that refuses what it has no room for', () => {
  test('refuses the client with its share of the room, drops nothing that waits, and accepts entries of others', async () => {
    const { log, waiting } = aLog({ whenFull: 'refuse' })
    const append = () =>
      log.append([anEntry(hostile('1'))]).then(
        () => 'accepted',
        ({ code, headers }) => [code, headers],
      )
    const answers = []
    for (let n = 0; n < 20; n++) answers.push(await append())
    const accepted = answers.filter((answer) => answer === 'accepted').length

    expect(answers.at(-1)).toEqual(['unavailable', { 'Retry-After': '5' }])
    expect(accepted).toBeLessThanOrEqual(10)
    expect(await waiting(hostile('1'))).toHaveLength(accepted)
    expect(await log.append([anEntry(good)])).toEqual({ dropped: 0 })
  })

  test('drops buried entries before it refuses', async () => {
    const { log, bury } = aLog({ whenFull: 'refuse' })
    for (let n = 0; n < 4; n++) await log.append([anEntry(hostile('1'))])
    await bury(4)
    for (let n = 0; n < 4; n++) await log.append([anEntry(hostile('1'))])
    await bury(4)
    for (let n = 0; n < 5; n++) await log.append([anEntry(hostile('1'))])

    expect(await log.depth().then(({ waiting, buried }) => [waiting, buried < 8])).toEqual([5, true])
  })
})
