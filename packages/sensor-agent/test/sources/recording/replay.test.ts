import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { PositionData } from '@posrep/spec'
import { vPositionData } from '@posrep/spec/validators'
import { safeParse } from 'valibot'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { replay } from '../../../src/sources/recording/replay.ts'
import { createInstantClock, createManualClock } from '../../support/manual-clock.ts'

const efhk = new URL('../../../../server/recordings/efhk_2026-01-07.sbs.gz', import.meta.url)
const dayMs = 24 * 3_600_000
const nowMs = Date.UTC(2026, 10, 21, 12, 0, 0)
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'posrep-replay-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

test('each position of a real recording is valid and is played once, in order', async () => {
  const clock = createInstantClock(nowMs)

  const played = await all(replay(efhk, { clock }))

  expect(played).toHaveLength(11_128)
  for (const position of played) expect(safeParse(vPositionData, position).issues).toBeUndefined()
  expect(new Set(played.map(({ id }) => id)).size).toBe(11_128)
  expect(new Set(played.map(({ target }) => target?.sourceId)).size).toBe(32)
  const times = played.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(played[0]?.sourceTimeStamp).toBe('2026-11-21T12:00:00.000Z')
})

test('playing a real recording takes as long as the recording', async () => {
  const clock = createInstantClock(nowMs)

  const played = await all(replay(efhk, { clock }))

  const last = Date.parse(played.at(-1)?.sourceTimeStamp ?? '')
  expect(clock.now()).toBe(last)
  expect(last - nowMs).toBeGreaterThan(599_000)
  expect(last - nowMs).toBeLessThan(600_000)
})

test('nearly all airborne positions of a real recording have altitude and velocity', async () => {
  const played = await all(replay(efhk, { clock: createInstantClock(nowMs) }))

  const airborne = played.filter(({ onGround }) => !onGround)
  const complete = airborne.filter(
    ({ altitudes, groundVelocity: velocity, target }) =>
      altitudes?.length &&
      target?.ids?.length &&
      [velocity?.x, velocity?.y, velocity?.z].every((part) => part !== undefined),
  )
  expect(complete.length / airborne.length).toBeGreaterThan(0.95)
  for (const { groundVelocity: { x = 0, y = 0 } = {} } of played) expect(Math.hypot(x, y)).toBeLessThan(340)
})

test('a position is played at its time and not before', async () => {
  const clock = createManualClock(nowMs)
  const played: string[] = []
  const playing = (async () => {
    for await (const { sourceTimeStamp } of replay(await aRecording([0, 1_000, 1_250]), { clock }))
      played.push(sourceTimeStamp)
  })()
  await until(() => clock.sleepers() === 1)

  expect(played).toEqual(['2026-11-21T12:00:00.000Z'])
  await clock.advance(999)
  expect(played).toHaveLength(1)
  await clock.advance(1)
  expect(played).toEqual(['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:01.000Z'])
  await clock.advance(250)
  await playing

  expect(played.at(-1)).toBe('2026-11-21T12:00:01.250Z')
})

test('the delays of a slow consumer do not add up', async () => {
  const clock = createInstantClock(nowMs)

  for await (const _ of replay(await aRecording([0, 1_000, 2_000, 3_000, 10_000]), { clock })) await clock.sleep(1_300)

  expect(clock.now()).toBe(nowMs + 10_000 + 1_300)
})

test('at double speed the time is halved, and the timestamps are those of the replay', async () => {
  const clock = createInstantClock(nowMs)

  const played = await all(replay(await aRecording([0, 1_000, 3_000]), { clock, speed: 2 }))

  expect(played.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp) - nowMs)).toEqual([0, 500, 1_500])
})

test('a loop starts again a second after the end, with new ids', async () => {
  const clock = createInstantClock(nowMs)
  const played: PositionData[] = []

  for await (const position of replay(await aRecording([0, 2_000]), { clock, loop: true })) {
    played.push(position)
    if (played.length === 6) break
  }

  expect(played.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp) - nowMs)).toEqual([
    0, 2_000, 3_000, 5_000, 6_000, 8_000,
  ])
  expect(new Set(played.map(({ id }) => id)).size).toBe(6)
})

test('an id contains the aircraft and the time of the recording', async () => {
  const [first] = await all(replay(await aRecording([0]), { clock: createInstantClock(nowMs) }))
  expect(first?.id).toBe(`461f67-1767767565518.${nowMs.toString(36)}`)
})

test('an abort ends the replay between two positions', async () => {
  const clock = createManualClock(nowMs)
  const stop = new AbortController()
  const played: PositionData[] = []
  const playing = (async () => {
    for await (const position of replay(await aRecording([0, 60_000]), { clock, signal: stop.signal, loop: true }))
      played.push(position)
  })()
  await until(() => clock.sleepers() === 1)

  stop.abort()
  await playing

  expect(played).toHaveLength(1)
  expect(clock.sleepers()).toBe(0)
})

test('a replay that is aborted before it starts plays nothing', async () => {
  expect(await all(replay(efhk, { clock: createInstantClock(), signal: AbortSignal.abort() }))).toEqual([])
})

test('an uncompressed file and a file URL are played', async () => {
  const file = join(folder, 'plain.sbs')
  await writeFile(file, sbsLines([0, 10]))
  const clock = createInstantClock(nowMs)

  expect(await all(replay(file, { clock }))).toHaveLength(2)
  expect(await all(replay(pathToFileURL(file), { clock }))).toHaveLength(2)
})

test.each([
  ['is missing', undefined, 'ENOENT'],
  ['is empty', Buffer.alloc(0), 'no position'],
  ['contains no position', Buffer.from('hello\n'), 'no position'],
  ['is cut off', gzipSync(sbsLines([0, 1, 2])).subarray(0, 60), 'unexpected end'],
])('a recording that %s is rejected with the reason', async (_, bytes, reason) => {
  const file = join(folder, `broken-${reason.replace(' ', '-')}`)
  if (bytes) await writeFile(file, bytes)

  await expect(all(replay(file, { clock: createInstantClock(nowMs), loop: true }))).rejects.toMatchObject({
    code: 'recording_unreadable',
    message: expect.stringContaining(reason),
  })
})

test.each([
  ['the rest of a line that was cut off', '"lat":47.19,"lon":8.73}'],
  ['a comment', '# made in Zurich'],
  ['JSON of something else', '{"receiver":"roof"}'],
])('the format is found after %s', async (_, first) => {
  const file = join(folder, 'later.jsonl')
  const message = { t: 1_680_365_730, lat: 47.19, lon: 8.73, uas_id: 'X1', id_type: 1 }
  await writeFile(file, `${first}\r\n${JSON.stringify(message)}\r\n`)

  const played = await all(replay(file, { clock: createInstantClock(nowMs) }))

  expect(played).toMatchObject([{ target: { type: 'aa:target:drone' }, position: { lat: 47.19, lon: 8.73 } }])
})

/** Plays a recording of this text to its end. */
async function play(text: string) {
  const file = join(folder, 'made-up')
  await writeFile(file, text)
  const told: string[] = []
  const onUnusable = (reason: string, message: string) => told.push(`${reason}: ${message}`)
  const played = await all(replay(file, { clock: createInstantClock(nowMs), onUnusable }))
  return { ids: played.map(({ target }) => target?.sourceId), told }
}

const aircraft = (hex: string, second = 0) =>
  `{"now" : ${1_764_072_000 + second}.1,"hex":"${hex}","alt_baro":3000,"lat":60.2,"lon":24.9,"seen_pos":0.0}`

test('aircraft.json as a receiver writes it, one aircraft per line, is played whole', async () => {
  const list = ['40a071', '40a072', '40a073'].map((hex) => aircraft(hex).replace('"now" : 1764072000.1,', ''))
  const text = `{ "now" : 1764072000.100,\n  "messages" : 5126,\n  "aircraft" : [\n${list.join(',\n')}\n  ]\n}\n`

  expect(await play(text)).toEqual({ ids: ['40A071', '40A072', '40A073'], told: [] })
  expect((await play(`${text}${text.replaceAll('000.100', '001.100')}`)).ids).toHaveLength(6)
  expect((await play(`\ufeff${text}`)).ids).toHaveLength(3)
})

test('lines that cannot be read are told with their number, and those around them are played', async () => {
  const broken = aircraft('40a152', 1).replace(
    '"alt_baro"',
    '"desc":"CESSNA 172",\n"ownOp":"SOMEBODY",\n"year":"2004","alt_baro"',
  )
  const lines = [
    aircraft('40a151'),
    broken,
    'garbage line',
    '# a comment',
    '{"now":1764072001.3,"hex":"40a15',
    aircraft('40a153', 2),
    `${aircraft('40a154', 2)}${aircraft('40a155', 2)}`,
    aircraft('xyz', 3),
    '{"now":1764072003.1,"hex":',
  ]

  expect(await play(lines.join('\n'))).toEqual({
    ids: ['40A151', '40A152', '40A153', '40A154', '40A155'],
    told: [
      'unreadable: line 5: not JSON: garbage line',
      'unreadable: line 7: JSON that does not end: {"now":1764072001.3,"hex":"40a15',
      'no_identifier: line 10: "hex" is "xyz"',
      'unreadable: line 11: JSON that does not end: {"now":1764072003.1,"hex":',
    ],
  })
})

test('a last SBS line that may be cut off within a number is not played, and told', async () => {
  const whole = sbsLines([0, 1_000])
  const { ids, told } = await play(whole.slice(0, whole.lastIndexOf('27,,,0,')))

  expect(ids).toEqual(['461F67'])
  expect(told).toEqual([expect.stringMatching(/^unreadable: line 2: the last line is cut off: MSG/)])
})

test('a position without an absolute time has no place in a recording', async () => {
  const message = (t: number) => JSON.stringify({ t, lat: 47.19, lon: 8.73, uas_id: 'X1' })

  expect(await play([message(1_680_365_730), message(2_075)].join('\n'))).toEqual({
    ids: ['X1'],
    told: ['no_time: line 2: the message of X1 has no time since the epoch'],
  })
})

test.each([
  ['ahead', 3],
  ['behind', -3],
])(
  'a line that is years %s of those around it is not waited for: it is told, and the others are played',
  async (_, years) => {
    const clock = createInstantClock(nowMs)

    const { times, told, gaps } = await playTimes([0, 1_000, years * 365 * dayMs, 2_000], clock)

    expect(times).toEqual([0, 1_000, 2_000])
    expect(told).toEqual([
      expect.stringMatching(/^odd_time: .* has the time 20\d\d-.*, 1095 days (after|before) the lines/),
    ])
    expect(gaps).toEqual([])
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(2_000)
  },
)

test.each([
  ['later', dayMs, 'a gap of 24.0 h in the recording is skipped'],
  ['earlier', -dayMs, 'the recording goes on 24.0 h earlier, as if nothing were between'],
])('a recording that goes on a day %s is played on a second later, and says so', async (_, jumpMs, message) => {
  const { times, told, gaps } = await playTimes([0, 2_000, jumpMs, jumpMs + 500, jumpMs + 3_000])

  expect(times).toEqual([0, 2_000, 3_000, 3_500, 6_000])
  expect([told, gaps]).toEqual([[], [message]])
})

test('a pause of ten minutes is played as it was', async () => {
  expect(await playTimes([0, 600_000])).toEqual({ times: [0, 600_000], told: [], gaps: [] })
})

test('a last line that is far from the others is told', async () => {
  const { times, told } = await playTimes([0, 1_000, dayMs])

  expect([times, told]).toEqual([[0, 1_000], [expect.stringMatching(/^odd_time/)]])
})

test('a named pipe is refused, for it may never have a writer', async () => {
  const file = join(folder, 'pipe')
  spawnSync('mkfifo', [file])

  await expect(all(replay(file))).rejects.toThrow('it is a pipe; give a file')
})

test('a speed of zero is refused', async () => {
  await expect(all(replay(efhk, { speed: 0 }))).rejects.toThrow('"speed" must be 0.001 or more, got 0')
})

test('the recording is small and its folder contains the licence', async () => {
  expect((await readFile(efhk)).length).toBeLessThan(1_000_000)
  const readme = await readFile(new URL('README.md', efhk), 'utf8')
  expect(readme).toContain('Copyright (c) 2026 Richard Wiren')
  expect(readme).toContain('Permission is hereby granted, free of charge')
})

/** Plays positions with these times, in ms after the first, and says when each was played, likewise. */
async function playTimes(timesMs: number[], clock = createInstantClock(nowMs)) {
  const [told, gaps]: [string[], string[]] = [[], []]
  const file = join(folder, `${timesMs.join('_')}.jsonl`)
  const lines = timesMs.map((ms, index) => {
    const sourceTimeStamp = new Date(Date.UTC(2026, 0, 7, 6, 32, 45) + ms).toISOString()
    return JSON.stringify({ id: String(index), sourceTimeStamp, position: { lat: 1, lon: 2 } })
  })
  await writeFile(file, lines.join('\n'))
  const onUnusable = (reason: string, message: string) => void told.push(`${reason}: ${message}`)
  const played = await all(replay(file, { clock, onUnusable, onGap: (message) => gaps.push(message) }))
  return { times: played.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp) - nowMs), told, gaps }
}

/** A recording of one aircraft with positions at these times, in ms after the first. */
async function aRecording(timesMs: number[]): Promise<string> {
  const file = join(folder, `${timesMs.join('-')}.sbs.gz`)
  await writeFile(file, gzipSync(sbsLines(timesMs)))
  return file
}

function sbsLines(timesMs: number[]): string {
  const lines = timesMs.map((ms) => {
    const time = new Date(Date.UTC(2026, 0, 7, 6, 32, 45, 518) + ms).toISOString().slice(11, 23)
    return `MSG,3,1,1,461F67,1,2026/01/07,${time},2026/01/07,${time},,26450,,,61.111031,22.489827,,,0,,0,0\n`
  })
  return lines.join('')
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Waits until the condition is true. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

const recordings = new URL('../../recordings/', import.meta.url)

test.each([
  ['snapshots of aircraft.json', new URL('efhk_2026-01-07.aircraft.jsonl.gz', recordings), 1_362],
  ['Remote ID messages', new URL('remoteid_anafi_2023-04-01.jsonl.gz', recordings), 124],
])('a recording of %s is played', async (_, recording, count) => {
  const played = await all(replay(recording, { clock: createInstantClock(nowMs) }))

  expect(new Set(played.map(({ id }) => id)).size).toBe(count)
})

test.each([
  [
    'positions',
    (second: number) => ({ id: '1', sourceTimeStamp: `2026-01-07T06:32:0${second}Z`, position: { lat: 1, lon: 2 } }),
  ],
  ['single aircraft', (second: number) => ({ t: 1_767_767_700 + second, hex: 'a00001', lat: 1, lon: 2 })],
])('a recording of %s, one per line, is played at its intervals', async (name, toLine) => {
  const file = join(folder, `${name}.jsonl`)
  await writeFile(file, [0, 2, 3].map((second) => `${JSON.stringify(toLine(second))}\n`).join(''))

  const played = await all(replay(file, { clock: createInstantClock(nowMs) }))

  expect(played.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp) - nowMs)).toEqual([0, 2_000, 3_000])
})

test('a snapshot with an old position does not delay the others', async () => {
  const file = join(folder, 'old.jsonl')
  const aircraft = [50, 0].map((seen_pos, index) => ({ hex: `a0000${index}`, lat: 1, lon: 2, seen_pos }))
  await writeFile(file, JSON.stringify({ now: 1_767_767_700, aircraft }))
  const clock = createInstantClock(nowMs)

  const played = await all(replay(file, { clock }))

  expect(clock.slept).toEqual([])
  expect(played.map(({ sourceTimeStamp }) => Date.parse(sourceTimeStamp) - nowMs)).toEqual([-50_000, 0])
})
