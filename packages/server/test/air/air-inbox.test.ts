import { expect, test } from 'vitest'
import { createMemoryLog } from '../../src/adapters/memory/log.ts'
import { readEntryBody } from '../../src/air/log/air-entry.ts'
import { createAirInbox } from '../../src/air/log/air-inbox.ts'
import { createRecentTexts } from '../../src/air/log/recent-texts.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import type { AirLog } from '../../src/ports/storage/log.ts'
import { account, roof1, roof2 } from './an-air.ts'

function anInbox() {
  const dropped: number[] = []
  const airLog = createMemoryLog({ clock: createManualClock() })
  const texts = createRecentTexts()
  const inbox = createAirInbox({ airLog, texts, onDropped: (entries) => dropped.push(entries) })
  const entries = async (queue: string) =>
    (await airLog.list(queue, { limit: 100_000 })).map(({ body }) => readEntryBody(body))
  return { inbox, texts, airLog, entries, dropped }
}

const aReport = (seq: number, text = `{"n":${seq}}`) => ({
  seq,
  receivedAtMs: 1_000 + seq,
  duplicates: new Set<number>(),
  raw: text,
})

test('appends of the same moment are one entry per account, in order', async () => {
  const { inbox, entries } = anInbox()
  await Promise.all([
    inbox.append(account, roof1, [aReport(1), aReport(2)], true),
    inbox.append(account, roof2, [aReport(7)], true),
    inbox.append('other', 'urn:aa:device:rival:roof1', [aReport(1)], true),
  ])

  expect(await entries(account)).toEqual([
    {
      kind: 'reports',
      reports: [
        { deviceUrn: roof1, seq: 1, receivedAtMs: 1_001, bytes: 7, duplicates: [] },
        { deviceUrn: roof1, seq: 2, receivedAtMs: 1_002, bytes: 7, duplicates: [] },
        { deviceUrn: roof2, seq: 7, receivedAtMs: 1_007, bytes: 7, duplicates: [] },
      ],
    },
  ])
  expect(await entries('other')).toHaveLength(1)
})

test('an entry has the texts of reports that are not kept elsewhere, and their duplicates', async () => {
  const { inbox, texts, entries } = anInbox()
  await inbox.append(account, roof1, [{ ...aReport(1, '{"text":"ü \\" 🛰"}'), duplicates: new Set([0, 3]) }], false)

  const text = '{"text":"ü \\" 🛰"}'
  const report = { deviceUrn: roof1, seq: 1, receivedAtMs: 1_001, bytes: 21, duplicates: [0, 3], text }
  expect(await entries(account)).toEqual([{ kind: 'reports', reports: [report] }])
  expect(texts.take(1)).toBeUndefined()
})

test('texts of kept reports are in memory until they are taken, the newest within the room', () => {
  const texts = createRecentTexts({ maxBytes: 100 })
  for (let seq = 1; seq <= 20; seq++) texts.add(seq, Buffer.from('x'.repeat(10)))

  expect(texts.take(10)).toBeUndefined()
  expect(texts.take(11)).toEqual(new Uint8Array(Buffer.from('x'.repeat(10))))
  expect(texts.take(11)).toBeUndefined()
})

test('beyond its bound an account loses its oldest entries, which are counted, and no other account does', async () => {
  const { inbox, airLog, dropped } = anInbox()
  await inbox.append('other', 'urn:aa:device:rival:roof1', [aReport(1)], true)
  for (let seq = 1; seq <= 40; seq++) await inbox.append(account, roof1, [aReport(seq, 'x'.repeat(1_000_000))], false)

  const left = await airLog.list(account, { limit: 100, characters: 0 })
  expect(left.length).toBeLessThanOrEqual(34)
  expect(dropped.reduce((sum, entries) => sum + entries, 0)).toBe(40 - left.length)
  expect(await airLog.depth('other')).toMatchObject({ waiting: 1 })
})

test('an account whose append fails does not fail those of others at the same moment', async () => {
  const { airLog } = anInbox()
  const append: AirLog['append'] = (entries, bound) =>
    entries.some(({ queue }) => queue === 'away') ? Promise.reject(new Error('away')) : airLog.append(entries, bound)
  const texts = createRecentTexts({ maxBytes: 100 })
  const inbox = createAirInbox({ airLog: { ...airLog, append }, texts, onDropped: () => {} })

  const results = await Promise.allSettled(
    ['away', account].map((id) => inbox.append(id, `urn:aa:device:${id}:roof1`, [aReport(1)], true)),
  )

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await airLog.depth(account)).toMatchObject({ waiting: 1 })
})
