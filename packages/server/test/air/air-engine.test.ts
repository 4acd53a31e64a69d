import { expect, test } from 'vitest'
import { createAirEngine } from '../../src/air/thread/air-engine.ts'
import type { AirReplies, AirRequest, FromThread } from '../../src/air/thread/messages.ts'
import { fromParts, toParts } from '../../src/air/thread/snapshot-parts.ts'
import { anAircraft, aText, roof1 } from './an-air.ts'

const startMs = Date.UTC(2026, 0, 7, 12, 0, 0)
const noAreas = { type: 'FeatureCollection' as const, features: [] }

function anEngine(maxTargets = 1_000) {
  const sent: FromThread[] = []
  let elapsedMs = 0
  const engine = createAirEngine({
    maxTargets,
    separation: 'automatic',
    mend: (value) => ({ value }),
    send: (message) => sent.push(message),
    // Each look at the clock takes 1 ms, so a portion has about ten reports.
    elapsedMs: () => elapsedMs++,
  })
  let lastId = 0
  const request = (given: AirRequest) => engine.receive({ kind: 'request', id: ++lastId, request: given })
  return {
    engine,
    sent,
    open(accountId: string) {
      request({ kind: 'open', accountId, nowMs: startMs, parts: [], areas: noAreas })
      while (engine.work());
    },
    /** Each report has one position of a target that no other report has. */
    flood(accountId: string, reports: number, firstSeq = 1) {
      const all = Array.from({ length: reports }, (_, n) => {
        const seq = firstSeq + n
        const icao = seq.toString(16).padStart(6, '0').toUpperCase()
        const place = { lat: (seq % 100) - 50, lon: (seq / 100) % 100, accuracy: 20 }
        const text = aText([anAircraft(icao, startMs, { position: place })])
        return { deviceUrn: roof1, seq, receivedAtMs: startMs, duplicates: [], text }
      })
      request({ kind: 'reports', accountId, entryAtMs: startMs, reports: all })
      return lastId
    },
    request,
  }
}

test('a report of one account does not wait for a flood of another', () => {
  const { engine, sent, open, flood } = anEngine()
  open('loud')
  open('quiet')
  sent.length = 0

  const loud = flood('loud', 5_000)
  const quiet = flood('quiet', 1)
  let portions = 0
  while (!sent.some((message) => message.kind === 'reply' && message.id === quiet)) {
    engine.work()
    portions++
  }

  expect(portions).toBeLessThanOrEqual(3)
  expect(sent.some((message) => message.kind === 'reply' && message.id === loud)).toBe(false)
  while (engine.work());
  expect(sent.at(-1)).toMatchObject({ kind: 'reply', id: loud, value: { positions: 5_000 } })
})

test('an account that reports ever new targets has no more tracks than allowed', () => {
  const { engine, sent, open, flood, request } = anEngine(50)
  open('loud')
  flood('loud', 2_000)
  request({ kind: 'snapshot', accountId: 'loud' })
  while (engine.work());

  expect(sent.at(-1)).toMatchObject({ kind: 'reply', value: { now: { targets: 50 }, leftOut: { evicted: 1_950 } } })
})

test('frames come at most once a second, and only for accounts that are followed', () => {
  const { engine, sent, open, flood } = anEngine()
  open('followed')
  open('other')
  engine.receive({ kind: 'follow', accountId: 'followed', isFollowed: true })
  for (let n = 0; n < 20; n++) {
    flood('followed', 1, 1 + n)
    flood('other', 1, 1 + n)
    while (engine.work());
    engine.receive({ kind: 'time', nowMs: startMs + n * 200 })
  }

  const frames = sent.filter(({ kind }) => kind === 'frame')
  expect(frames).toHaveLength(4)
  expect(frames.every((message) => 'accountId' in message && message.accountId === 'followed')).toBe(true)
})

test('a report that cannot be read does not stop those after it', () => {
  const { engine, sent, open, request } = anEngine()
  open('a')
  const text = aText([anAircraft('461F9C', startMs)])
  const report = { deviceUrn: roof1, receivedAtMs: startMs, duplicates: [] }
  request({
    kind: 'reports',
    accountId: 'a',
    entryAtMs: startMs,
    reports: [
      { ...report, seq: 1, text: '{' },
      { ...report, seq: 2, text },
    ],
  })
  while (engine.work());

  expect(sent.at(-1)).toMatchObject({ value: { positions: 1, setAside: 1, reason: expect.stringContaining('JSON') } })
})

test('a request for an account without a picture is refused', () => {
  const { engine, sent, request } = anEngine()
  request({ kind: 'whole', accountId: 'unknown' })
  while (engine.work());

  expect(sent.at(-1)).toMatchObject({ kind: 'notOpen', error: expect.stringContaining('not open') })
})

test('a step that fails in one account is told once a minute, and the tracks of all accounts go on', () => {
  const { engine, sent, open, flood, request } = anEngine()
  open('damaged')
  flood('damaged', 1)
  request({ kind: 'snapshot', accountId: 'damaged' })
  while (engine.work());
  request({ kind: 'open', accountId: 'damaged', nowMs: startMs, parts: damage(lastReply(sent)), areas: noAreas })
  open('sound')
  flood('sound', 1)
  while (engine.work());
  sent.length = 0

  for (let n = 1; n <= 30; n++) {
    engine.receive({ kind: 'time', nowMs: startMs + n * 1_000 })
    flood('damaged', 1, 1 + n)
    while (engine.work());
  }
  request({ kind: 'whole', accountId: 'sound' })
  while (engine.work());

  const failures = sent.filter(({ kind }) => kind === 'stepFailed')
  expect(failures).toMatchObject([{ accountId: 'damaged', error: expect.stringContaining('null'), times: 1 }])
  expect(sent.filter(({ kind }) => kind === 'reply').slice(0, 30)).toEqual(
    Array.from({ length: 30 }, () => expect.objectContaining({ value: { positions: 1, setAside: 0 } })),
  )
  expect(JSON.parse(String(lastReply(sent))).time).toBe(new Date(startMs + 29_000).toISOString())
})

function lastReply(sent: readonly FromThread[]): unknown {
  return sent.findLast((message) => message.kind === 'reply')?.value
}

/** An alert that is not one: each second fails at it. */
function damage(reply: unknown): string[] {
  const snapshot = fromParts((reply as AirReplies['snapshot']).parts)
  snapshot?.alerts.book.active.push({ key: 'x', alert: null as never, endText: '', heldAtMs: 0 })
  return snapshot ? toParts(snapshot) : []
}
