import { expect, onTestFinished, test } from 'vitest'
import { createAirPictures, type StoredPicture } from '../../src/air/pictures/air-pictures.ts'
import type { AirMessage, AirSource } from '../../src/air/pictures/air-source.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { silentLogger } from '../a-server.ts'

const noAreas = { type: 'FeatureCollection' as const, features: [] }

function aMessage(sequence: number, full: boolean): AirMessage {
  const frame = { notice: '', time: '2026-01-07T12:00:00.000Z', full, tracks: [], ended: [], alerts: [], sensors: [] }
  return { holder: 'a', sequence, frame: JSON.stringify(frame) }
}

function somePictures({ maxPictures = 10, stored }: { maxPictures?: number; stored?: StoredPicture } = {}) {
  const clock = createManualClock()
  const followers = new Map<string, (message: AirMessage) => void>()
  const asked: string[] = []
  let sequence = 5
  const source: AirSource = {
    follow(accountId, listener) {
      followers.set(accountId, listener)
      return () => void followers.delete(accountId)
    },
    async whole(accountId) {
      asked.push(accountId)
      return stored ? undefined : aMessage(sequence, true)
    },
    detail: async () => undefined,
    history: async () => undefined,
  }
  const pictures = createAirPictures({
    sources: [source],
    findStored: async () => stored,
    areas: { get: async () => noAreas },
    clock,
    logger: silentLogger,
    maxPictures,
  })
  onTestFinished(() => pictures.close())
  return { clock, pictures, followers, asked, setSequence: (next: number) => (sequence = next) }
}

test('a picture is opened once for all who ask at the same time', async () => {
  const { pictures, asked } = somePictures()
  const [one, other] = await Promise.all([pictures.open('a'), pictures.open('a')])

  expect(one).toBe(other)
  expect(asked).toEqual(['a'])
  expect(one.sequence).toBe(5)
})

test('a picture is closed a minute after it was used last, but not while it is watched', async () => {
  const { pictures, followers, clock } = somePictures()
  const watched = await pictures.open('watched')
  const stop = watched.watch(() => {})
  await pictures.open('idle')

  await clock.advance(90_000)
  expect([...followers.keys()]).toEqual(['watched'])
  stop()
  await clock.advance(90_000)
  expect(followers.size).toBe(0)
})

test('beyond their number, the picture that was not used for the longest time is closed; if all are watched, 503', async () => {
  const { pictures, followers, clock } = somePictures({ maxPictures: 2 })
  const first = await pictures.open('first')
  await clock.advance(1_000)
  await pictures.open('second')
  first.watch(() => {})
  const third = await pictures.open('third')
  expect([...followers.keys()]).toEqual(['first', 'third'])

  third.watch(() => {})
  await expect(pictures.open('fourth')).rejects.toMatchObject({ code: 'unavailable' })
})

test('after a frame was lost, the whole picture is read once', async () => {
  const { pictures, followers, asked, clock, setSequence } = somePictures()
  const picture = await pictures.open('a')
  setSequence(9)
  followers.get('a')?.(aMessage(8, false))
  followers.get('a')?.(aMessage(9, false))
  await clock.advance(0)

  expect(picture.sequence).toBe(9)
  expect(asked).toEqual(['a', 'a'])
})

test('a picture that no process holds is that of its last snapshot', async () => {
  const detail = { notice: '', track: {}, history: [], associations: [] } as never
  const history = { timeMs: 1, paths: [], truncated: true }
  const stored = { message: aMessage(3, true), detail: async () => detail, history: async () => history }
  const { pictures } = somePictures({ stored })
  const picture = await pictures.open('a')

  expect(picture.sequence).toBe(3)
  expect(await picture.detail('t1')).toBe(detail)
  expect(await picture.history({ seconds: 600, limit: 10 })).toBe(history)
})
