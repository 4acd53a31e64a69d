/** The air picture of a whole server, with its thread. */
import type { AirSensorList, AirTrack, AirTrackList } from '@posrep/spec'
import { expect, onTestFinished, test, vi } from 'vitest'
import { aServer, rival, roof1, roof2, type ServerUnderTest } from '../a-server.ts'
import { anAircraft } from './an-air.ts'

async function report(server: ServerUnderTest, localId: string, icao: string): Promise<void> {
  const token = await server.deviceToken('fleet', localId)
  const response = await server.fetch('/v1/position-reports', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sensor: { id: localId }, positions: [anAircraft(icao, server.clock.now())] }),
  })
  expect(response.status).toBe(202)
}

async function tracksOf(server: ServerUnderTest, token: string): Promise<AirTrack[]> {
  const response = await server.get('/v1/air/tracks', token)
  // Every answer is checked against the document.
  return ((await response.json()) as AirTrackList).data
}

test('a device that a user removes leaves the picture', async () => {
  const server = await aServer()
  onTestFinished(() => server.stop())
  const token = await server.userToken()
  await report(server, 'roof1', '461F9C')
  await report(server, 'roof2', 'ABCDEF')
  const sensorsAre = (urns: string[]) =>
    vi.waitFor(
      async () => {
        await server.clock.advance(200)
        const { data } = (await (await server.get('/v1/air/sensors', token)).json()) as AirSensorList
        expect(data.map(({ deviceId }) => deviceId)).toEqual(urns)
      },
      { interval: 20 },
    )
  await sensorsAre([roof1, roof2])

  const headers = { authorization: `Bearer ${token}` }
  await server.fetch(`/v1/devices/${encodeURIComponent(roof2)}`, { method: 'DELETE', headers })

  await sensorsAre([roof1])
  expect((await tracksOf(server, token)).flatMap(({ sensors }) => sensors.map(({ deviceId }) => deviceId))).toEqual([
    roof1,
  ])
})

test('what two sensors report of one aircraft is one track of their account, and of no other', async () => {
  const server = await aServer()
  onTestFinished(() => server.stop())
  const token = await server.userToken()
  await report(server, 'roof1', '461F9C')
  await report(server, 'roof2', '461F9C')

  await vi.waitFor(
    async () => {
      await server.clock.advance(200)
      const tracks = await tracksOf(server, token)
      expect(tracks).toHaveLength(1)
      expect(tracks[0]?.sensors.map(({ deviceId }) => deviceId).sort()).toEqual([roof1, roof2])
    },
    { interval: 20 },
  )
  const [track] = await tracksOf(server, token)
  expect((await server.get(`/v1/air/tracks/${track?.id}`, token)).status).toBe(200)

  expect(await tracksOf(server, await server.userToken(rival))).toEqual([])
})
