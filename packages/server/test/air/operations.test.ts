import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { currentTimeMs } from '../../../../testing/real-time.ts'
import { aServer, rival, type ServerUnderTest } from '../a-server.ts'
import { validExample } from '../example-files.ts'
import { anAlert, aPicture, aSensor, aTrack, aTrackAt, picturesOf } from './a-picture.ts'

/** Readers of aircraft.json get what is at most a minute old. */
const time = new Date(currentTimeMs()).toISOString()
const picture = aPicture({
  tracks: [
    aTrack({ id: 't2' }),
    aTrack({ id: 't1' }),
    { ...aTrackAt('t3', -10, 179), time },
    { ...aTrackAt('t4', -10, -179), time },
  ],
  alerts: [anAlert()],
  moreAlerts: 12,
  sensors: [aSensor({ deviceId: 'urn:aa:device:fleet:roof2' }), aSensor({ deviceId: 'urn:aa:device:fleet:roof1' })],
})

let server: ServerUnderTest
let token: string
beforeAll(async () => {
  server = await aServer({ air: picturesOf({ acme: picture }) })
  token = await server.userToken()
})
afterAll(() => server.stop())

interface Answered {
  data: { id?: string; deviceId?: string }[]
  truncated?: boolean
  aircraft?: object[]
  more?: number
  errors?: { pointer: string }[]
}

async function read(path: string, as = token) {
  const response = await server.get(path, as)
  // The server under test checks answers against the document.
  const body = (await response.json()) as Answered
  return { status: response.status, media: response.headers.get('content-type'), body }
}

function put(areas: unknown) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return server.fetch('/v1/air/areas', { method: 'PUT', headers, body: JSON.stringify(areas) })
}

describe('the tracks', () => {
  test('are sorted by ID, with the time of the picture and the notice', async () => {
    const { body } = await read('/v1/air/tracks')

    expect(body).toMatchObject({ notice: 'Not for navigation', time: '2026-01-07T12:00:31.000Z', truncated: false })
    expect(body.data.map(({ id }) => id)).toEqual(['t1', 't2', 't3', 't4'])
  })

  test('can be limited, and the answer says that there are more', async () => {
    const { body } = await read('/v1/air/tracks?limit=3')

    expect([body.data.length, body.truncated]).toEqual([3, true])
    expect((await read('/v1/air/tracks?limit=4')).body.truncated).toBe(false)
  })

  test('can be those of a box, also across longitude 180', async () => {
    const { body } = await read('/v1/air/tracks?bbox=170,-20,-170,0')

    expect(body.data.map(({ id }) => id)).toEqual(['t3', 't4'])
  })

  test.each(['24,61,26,60', '24,60,26', 'a,b,c,d', '200,0,201,1'])('of the box %s are 400', async (bbox) => {
    const { status, body } = await read(`/v1/air/tracks?bbox=${bbox}`)

    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/query/bbox'])
  })

  test('of another account are not shown', async () => {
    const other = await server.userToken(rival)

    expect((await read('/v1/air/tracks', other)).body.data).toEqual([])
    expect((await read('/v1/air/tracks/t1', other)).status).toBe(404)
  })

  test('take a user token', async () => {
    expect((await server.get('/v1/air/tracks', await server.deviceToken())).status).toBe(401)
    expect((await server.fetch('/v1/air/stream')).status).toBe(401)
  })
})

test('a track is read with its history; an unknown one is 404 with a code of its own', async () => {
  expect((await read('/v1/air/tracks/t1')).body).toMatchObject({ track: { id: 't1' }, history: [], associations: [] })
  expect(await read('/v1/air/tracks/t99')).toMatchObject({ status: 404, body: { code: 'track_not_found' } })
})

describe('the history', () => {
  test('has the paths of the tracks, and its window', async () => {
    const { body } = await read('/v1/air/history?seconds=60')

    expect(body).toMatchObject({
      notice: 'Not for navigation',
      time: '2026-01-07T12:00:31.000Z',
      since: '2026-01-07T11:59:31.000Z',
      truncated: false,
    })
    expect(body.data.map(({ id }) => id)).toEqual(['t1', 't2', 't3', 't4'])
  })

  test('can be that of a box', async () => {
    const { body } = await read('/v1/air/history?bbox=170,-20,-170,0')

    expect(body.data.map(({ id }) => id)).toEqual(['t3', 't4'])
  })

  test('of another account is not shown', async () => {
    expect((await read('/v1/air/history', await server.userToken(rival))).body.data).toEqual([])
  })

  test.each(['seconds=0', 'seconds=601', 'limit=0', 'bbox=1,2'])('is 400 for %s', async (query) => {
    expect((await read(`/v1/air/history?${query}`)).status).toBe(400)
  })
})

test('alerts and sensors are read', async () => {
  expect((await read('/v1/air/alerts')).body).toMatchObject({ data: [{ id: anAlert().id }], more: 12 })
  const { body } = await read('/v1/air/sensors')
  expect(body.data.map(({ deviceId }) => deviceId)).toEqual(['urn:aa:device:fleet:roof1', 'urn:aa:device:fleet:roof2'])
})

test('areas that were set are listed; a mistake changes nothing, and its place is shown', async () => {
  const areas = JSON.parse(validExample('AirAreaList'))
  expect((await put(areas)).status).toBe(200)
  expect((await read('/v1/air/areas')).body).toEqual(areas)

  const response = await put({ ...areas, features: [areas.features[0], areas.features[0]] })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'invalid_body', errors: [{ pointer: '/features/1/id' }] })
  expect((await read('/v1/air/areas')).body).toEqual(areas)
})

test('the tracks are read as GeoJSON and in the format of readsb', async () => {
  const geo = await read('/v1/air/tracks.geojson?limit=1')
  expect(geo.media).toBe('application/geo+json; charset=utf-8')
  expect(geo.body).toMatchObject({ type: 'FeatureCollection', features: [{ id: 't1', geometry: { type: 'Point' } }] })
  expect(geo.body.truncated).toBe(true)
  expect((await read('/v1/air/tracks.geojson?limit=4')).body.truncated).toBe(false)

  const readsb = await read('/v1/air/aircraft.json?bbox=170,-20,-170,0')
  expect(readsb.body).toMatchObject({ now: server.clock.now() / 1_000, notice: 'Not for navigation' })
  expect(readsb.body.aircraft).toHaveLength(2)
})

test('when the air picture is off, every operation is 404 and says so', async () => {
  const without = await aServer({ flags: { air: 'off' } })
  const own = await without.userToken()
  for (const path of [
    'tracks',
    'tracks/t1',
    'history',
    'alerts',
    'areas',
    'sensors',
    'stream',
    'aircraft.json',
    'tracks.geojson',
  ]) {
    const response = await without.get(`/v1/air/${path}`, own)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found', detail: expect.stringContaining('switched off') })
  }
  await without.stop()
})
