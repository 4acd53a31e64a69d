import { expect, test } from 'vitest'
import { toBox } from '../../src/air/box.ts'
import { createClientView } from '../../src/air/stream/client-view.ts'
import { anAlert, aPicture, aSensor, aTrack, aTrackAt } from './a-picture.ts'

const box = toBox('24,60,26,61')
const ids = (tracks: { id: string }[]) => tracks.map(({ id }) => id)

test('a new client gets the whole picture, with the active alerts only, and then what changes', () => {
  const alerts = [anAlert({ id: 'a1' }), anAlert({ id: 'a2', state: 'ended', endedAt: '2026-01-07T12:00:00Z' })]
  const picture = aPicture({ tracks: [aTrack({ id: 't1' })], alerts, sensors: [aSensor()] })
  const view = createClientView(picture, undefined, undefined)

  const first = view.next()
  expect(first).toMatchObject({ full: true, ended: [], areas: { features: [] } })
  expect([ids(first.tracks), ids(first.alerts), first.sensors.length]).toEqual([['t1'], ['a1'], 1])
  expect(view.isCurrent()).toBe(true)

  picture.change({ tracks: [aTrack({ id: 't2' })], ended: ['t1'] })
  expect(view.isCurrent()).toBe(false)
  expect(view.next()).toMatchObject({ full: false, tracks: [{ id: 't2' }], ended: ['t1'] })
})

test('a slow client gets several frames as one, and the whole picture when they are too old', () => {
  const picture = aPicture()
  const view = createClientView(picture, undefined, undefined)
  view.next()

  for (const id of ['t1', 't2']) picture.change({ tracks: [aTrack({ id })] })
  const merged = view.next()
  expect([merged.full, ids(merged.tracks)]).toEqual([false, ['t1', 't2']])

  for (let n = 3; n < 20; n++) picture.change({ tracks: [aTrack({ id: `t${n}` })] })
  expect(view.next()).toMatchObject({ full: true })
})

test('a client that connects again continues after its last event', () => {
  const picture = aPicture({ tracks: [aTrack({ id: 't1' })] })
  const before = createClientView(picture, undefined, undefined)
  before.next()

  picture.change({ tracks: [aTrack({ id: 't2' })] })
  const frame = createClientView(picture, undefined, before.eventId()).next()
  expect([frame.full, ids(frame.tracks)]).toEqual([false, ['t2']])
})

test.each(['', 'abc', '99999', '1', '-1', '4711.box', '9'.repeat(60)])(
  'a client with the unknown event "%s" gets the whole picture',
  (id) => {
    expect(createClientView(aPicture(), undefined, id).next()).toMatchObject({ full: true })
  },
)

test('a client with a box gets the tracks in it; one that leaves has ended, one that comes back is a change', () => {
  const picture = aPicture({ tracks: [aTrackAt('in', 60.5, 25), aTrackAt('out', 50, 25)] })
  const view = createClientView(picture, box, undefined)
  expect(ids(view.next().tracks)).toEqual(['in'])

  picture.change({ tracks: [aTrackAt('in', 61.5, 25), aTrackAt('out', 51, 25)] })
  expect(view.next()).toMatchObject({ tracks: [], ended: ['in'] })

  picture.change({ tracks: [aTrackAt('in', 61.6, 25)], ended: ['out'] })
  expect(view.next()).toMatchObject({ tracks: [], ended: [] })

  picture.change({ tracks: [aTrackAt('in', 60.9, 25)] })
  expect(ids(view.next().tracks)).toEqual(['in'])
})

test('a client with a box that connects again is told of every track that may have left the box since', () => {
  const picture = aPicture({ tracks: [aTrackAt('left', 60.5, 25), aTrackAt('stays', 60.6, 25)] })
  const before = createClientView(picture, box, undefined)
  before.next()
  picture.change({ tracks: [aTrackAt('left', 61.5, 25)] })

  const again = createClientView(picture, box, before.eventId())
  expect(again.next()).toMatchObject({ full: false, tracks: [], ended: ['left'] })
  picture.change({ ended: ['stays'] })
  expect(again.next()).toMatchObject({ ended: ['stays'] })
})

test('an event of another account is unknown, also with a number that this picture has', () => {
  const before = createClientView(aPicture({ id: 'other first' }), undefined, undefined)
  before.next()

  expect(createClientView(aPicture(), undefined, before.eventId()).next().full).toBe(true)
})

test('when another process numbers the frames, equal numbers are unknown: to who connects again, and to who is connected', () => {
  const picture = aPicture({ tracks: [aTrack({ id: 't1' })] })
  const view = createClientView(picture, undefined, undefined)
  view.next()
  const id = view.eventId()

  picture.takeOver()
  expect(createClientView(picture, undefined, id).next().full).toBe(true)
  expect(view.isCurrent()).toBe(false)
  expect(view.next().full).toBe(true)
  expect(view.isCurrent()).toBe(true)
})

test('an event of another box is unknown', () => {
  const picture = aPicture()
  const before = createClientView(picture, box, undefined)
  before.next()

  expect(createClientView(picture, toBox('24,60,26,62'), before.eventId()).next().full).toBe(true)
  expect(createClientView(picture, undefined, before.eventId()).next().full).toBe(true)
  expect(createClientView(picture, box, before.eventId()).next().full).toBe(false)
})
