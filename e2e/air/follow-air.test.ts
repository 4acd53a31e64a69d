/**
 * The client SDK reads and follows the air picture of the real server, over a network that breaks. The picture is the
 * test's.
 */
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { createPosrep } from '@posrep/client-sdk'
import { type AirAreaList, type AirFrame, type AirTrack, createAir, followAir } from '@posrep/client-sdk/air'
import { createSystemClock, resolveSettings, type ServerOptions, startServer } from '@posrep/server'
import { expect, onTestFinished, test } from 'vitest'
import { currentTimeMs } from '../../testing/real-time.ts'
import { mapView, pilot, redirectUri } from '../parts/seed.ts'
import { signInAndApprove } from '../parts/sign-in.ts'

const seed = {
  accounts: [{ id: 'acme', name: 'Acme Sensing' }],
  users: [{ ...pilot, account: 'acme' }],
  clients: [
    {
      ...mapView,
      name: 'Map view',
      account: 'acme',
      grants: ['authorization_code' as const, 'refresh_token' as const],
      redirectUris: [redirectUri],
      scopes: ['surveillance_api'],
      partner: false,
    },
  ],
  sensors: [],
}

/** A picture whose tracks the test changes. */
function aPicture() {
  const tracks = new Map<string, AirTrack>()
  const listeners = new Set<(frame: AirFrame, sequence: number) => void>()
  const frames: AirFrame[] = []
  let areas: AirAreaList = { type: 'FeatureCollection', features: [] }
  const time = new Date(currentTimeMs()).toISOString()
  const toFrame = (changed: AirTrack[]): AirFrame => ({
    notice: 'Not for navigation',
    time,
    full: false,
    tracks: changed,
    ended: [],
    alerts: [],
    sensors: [],
  })
  const picture = {
    id: 'small',
    timeMs: Date.parse(time),
    get sequence() {
      return frames.length
    },
    tracks: () => tracks.values(),
    detail: async () => undefined,
    history: async () => ({ timeMs: Date.parse(time), paths: [], truncated: false }),
    alerts: () => [],
    moreAlerts: () => 0,
    sensors: () => [],
    areas: () => areas,
    since: (from: number) => (from <= frames.length ? toFrame(frames.slice(from).flatMap((f) => f.tracks)) : undefined),
    watch(listener: (frame: AirFrame, sequence: number) => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const air: ServerOptions['air'] = {
    pictures: { open: async () => picture },
    areas: { get: async () => areas, set: async (_account, list) => void (areas = list) },
  }
  return {
    air,
    add(id: string) {
      const position = { lat: 60.3, lon: 24.9, accuracy: 10 }
      const times = { time, receivedAt: time }
      const track: AirTrack = {
        id,
        state: 'live',
        identifiers: [],
        ...times,
        position,
        altitudes: [],
        sensors: [],
        positions: 1,
      }
      tracks.set(id, track)
      const frame = toFrame([track])
      frames.push(frame)
      for (const listener of listeners) listener(frame, frames.length)
    },
  }
}

/** A user who signed in at a real server, through a network that the test can cut. */
async function aSignedInUser(air?: ServerOptions['air']) {
  const server = await startServer({
    settings: resolveSettings({
      flags: { memory: true, 'insecure-http': true, port: '0', air: air ? 'on' : 'off' },
      environment: {},
    }),
    clock: createSystemClock(),
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    version: 'test',
    seeds: [seed],
    validateResponses: true,
    ...(air && { air }),
  })
  onTestFinished(() => server.stop())
  const network = await aNetwork(server.port)
  const posrep = createPosrep({
    authOrigin: server.localOrigin,
    ingestOrigin: server.localOrigin,
    uiOrigin: network.origin,
    clientId: mapView.id,
    clientSecret: mapView.secret,
    redirectUri,
  })
  const started = await posrep.startSignIn()
  await posrep.completeSignIn(started.pending, await signInAndApprove(started, pilot, redirectUri))
  return { posrep, cut: network.cut }
}

/** Passes connections on to a port. `cut` breaks all of them. */
async function aNetwork(port: number) {
  const sockets = new Set<Socket>()
  const listener = net.createServer((near) => {
    const far = net.connect(port, 'localhost')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from
        .on('error', () => {})
        .on('close', () => {
          to.destroy()
          sockets.delete(from)
        })
    }
  })
  listener.listen(0, 'localhost')
  await once(listener, 'listening')
  onTestFinished(() => void listener.close())
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(cut)
  // A server that listens on TCP has an AddressInfo.
  return { origin: `http://localhost:${(listener.address() as AddressInfo).port}`, cut }
}

test('an app reads the air picture with typed calls', async () => {
  const { air, add } = aPicture()
  add('t1')
  const { posrep } = await aSignedInUser(air)
  const calls = createAir(posrep)

  expect((await calls.listAirTracks({ bbox: '-180,-90,180,90', limit: 5 })).data.map(({ id }) => id)).toEqual(['t1'])
  expect((await calls.listAirTracksAsGeoJson()).features).toHaveLength(1)
  expect((await calls.listAirAircraft()).aircraft).toHaveLength(1)
  expect((await calls.listAirAlerts()).data).toEqual([])
  expect((await calls.listAirHistory({ seconds: 60 })).data).toEqual([])
  expect((await calls.listAirSensors()).data).toEqual([])
  await expect(calls.getAirTrack('t2')).rejects.toMatchObject({ code: 'not_found' })
})

test('an app that follows the picture continues after the connection breaks, and misses nothing', async () => {
  const { air, add } = aPicture()
  add('t1')
  const { posrep, cut } = await aSignedInUser(air)
  // Waits of the SDK take a twentieth of their time.
  const startTimer = (ms: number, task: () => void) => {
    const timer = setTimeout(task, ms / 20)
    return () => clearTimeout(timer)
  }
  const seen: [boolean, string[]][] = []
  for await (const { tracks, frame } of followAir(posrep, { clock: { now: currentTimeMs, startTimer } })) {
    seen.push([frame.full, [...tracks.keys()]])
    if (tracks.has('t4')) break
    if (tracks.has('t2')) cut()
    add(`t${tracks.size + 1}`)
  }

  expect(seen).toEqual([
    [true, ['t1']],
    [false, ['t1', 't2']],
    [false, ['t1', 't2', 't3']],
    [false, ['t1', 't2', 't3', 't4']],
  ])
})

test('areas are set and listed, and a mistake is pointed at', async () => {
  const { posrep } = await aSignedInUser(aPicture().air)
  const { setAirAreas, listAirAreas } = createAir(posrep)
  const toAreas = (...ring: number[][]): AirAreaList => ({
    type: 'FeatureCollection',
    features: [
      { type: 'Feature', id: 'a', properties: { name: 'A' }, geometry: { type: 'Polygon', coordinates: [ring] } },
    ],
  })
  const areas = toAreas([24, 60], [25, 60], [25, 61], [24, 60])

  expect(await setAirAreas(areas)).toEqual(areas)
  expect(await listAirAreas()).toEqual(areas)
  await expect(setAirAreas(toAreas([24, 60], [25, 60], [25, 61], [24, 61]))).rejects.toMatchObject({
    code: 'invalid_request',
    problem: { errors: [{ pointer: '/features/0/geometry/coordinates/0/3' }] },
  })
})

test('a server whose air picture is off says so', async () => {
  const { posrep } = await aSignedInUser()

  await expect(followAir(posrep).next()).rejects.toMatchObject({
    code: 'not_found',
    problem: { detail: expect.stringContaining('switched off') },
  })
})
