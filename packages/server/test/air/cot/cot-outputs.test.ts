import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CotCertificates } from '../../../src/air/cot/cot-connection.ts'
import { type CotDestination, startCotOutputs } from '../../../src/air/cot/cot-outputs.ts'
import { createManualClock } from '../../../src/contracts/manual-clock.ts'
import { aPicture, aTrack, type PictureUnderTest, picturesOf } from '../a-picture.ts'
import { aTakServer, someCertificates } from './a-tak-server.ts'

const connectMs = 10_000
const stalledMs = 30_000

interface Given {
  picture?: PictureUnderTest
  certificates?: CotCertificates
  destination: Partial<CotDestination> & { port: number }
  /** The picture cannot be opened. */
  refuses?: boolean
}

function anOutput({
  picture = aPicture({ tracks: [aTrack({ id: 't1' })] }),
  certificates = {},
  destination,
  refuses = false,
}: Given) {
  const clock = createManualClock()
  const lines: string[] = []
  const log = (_fields: object, message: string) => void lines.push(message)
  const { pictures } = picturesOf({ acme: picture })
  const refused = { open: () => Promise.reject(new Error('unavailable')) }
  const stop = startCotOutputs({
    pictures: refuses ? refused : pictures,
    destinations: [{ accountId: 'acme', host: '127.0.0.1', isTls: false, certificates, ...destination }],
    clock,
    logger: { info: log, warn: log },
    random: () => 1,
  })
  onTestFinished(stop)
  return { picture, clock, lines, stop }
}

const names = (events: { '@uid': string }[]) => events.map((event) => event['@uid'].split('.').at(-1))

test('all tracks are sent first, and then those that change, without a byte between events', async () => {
  const tak = await aTakServer()
  const { picture, clock } = anOutput({
    picture: aPicture({ tracks: [aTrack({ id: 't1' }), aTrack({ id: 't2' })] }),
    destination: tak,
  })
  expect(names(await tak.received(2))).toEqual(['t1', 't2'])

  picture.change({ tracks: [aTrack({ id: 't2' }), aTrack({ id: 't3' })] })
  await clock.advance(1_000)
  expect(names(await tak.received(4))).toEqual(['t1', 't2', 't2', 't3'])
  expect(tak.text()).not.toMatch(/<\/event>(?!<\?xml|$)/)
})

test('a track that changes often is sent once a second, as it was last', async () => {
  const tak = await aTakServer()
  const { picture, clock } = anOutput({ destination: tak })
  await tak.received(1)

  for (const lat of [60.1, 60.2, 60.3]) picture.change({ tracks: [aTrack({ id: 't1', position: { lat, lon: 24 } })] })
  await clock.advance(1_000)
  const events = await tak.received(2)
  expect(events.map(({ point }) => point['@lat'])).toEqual([expect.any(String), '60.3000000'])
})

test('a tentative track is not sent, and a track that ended before its turn is not either', async () => {
  const tak = await aTakServer()
  const { picture, clock } = anOutput({ destination: tak })
  await tak.received(1)

  picture.change({ tracks: [aTrack({ id: 't2', state: 'tentative' }), aTrack({ id: 't3' }), aTrack({ id: 't4' })] })
  picture.change({ ended: ['t3'] })
  await clock.advance(1_000)
  expect(names(await tak.received(2))).toEqual(['t1', 't4'])
})

test('a connection that breaks is opened again, and all tracks are sent again', async () => {
  const tak = await aTakServer()
  const { clock, lines } = anOutput({ destination: tak })
  await tak.received(1)
  await clock.advance(1_000)

  for (const socket of tak.open()) socket.destroy()
  await vi.waitUntil(async () => {
    await clock.advance(1_000)
    return tak.connections() === 2
  })
  expect(names(await tak.received(2))).toEqual(['t1', 't1'])
  await clock.advance(1_000)
  expect(lines).toEqual([
    'Cursor on Target is connected',
    'Cursor on Target is not connected; retrying',
    'Cursor on Target is connected',
  ])
})

test('there is no connection while the picture cannot be opened', async () => {
  const tak = await aTakServer()
  const { clock, lines } = anOutput({ destination: tak, refuses: true })
  await vi.waitUntil(() => lines.length > 0)
  await clock.advance(60_000)

  expect(tak.connections()).toBe(0)
})

test('a server that is not there is tried less and less often, at most a minute apart, with one line in the log', async () => {
  const gone = net.createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = gone.address() as AddressInfo
  await new Promise((closed) => gone.close(closed))
  const { clock, lines } = anOutput({ destination: { port } })
  const sleep = vi.spyOn(clock, 'sleep')
  const pauses = () => sleep.mock.calls.map(([ms]) => ms).filter((ms) => ms !== connectMs)
  const waits = { interval: 1 }
  for (let count = 1; count <= 9; count++) {
    await vi.waitUntil(() => pauses().length >= count, waits)
    await clock.advance(60_000)
  }

  expect(pauses().slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1_000))
  expect(lines).toEqual(['Cursor on Target is not connected; retrying'])
})

test('a server that takes nothing is disconnected after 30 seconds, and of each track only the latest state waits', async () => {
  const tak = await aTakServer({ isDeaf: true })
  const tracks = Array.from({ length: 20_000 }, (_, n) => aTrack({ id: `t${n.toString(36)}` }))
  const { picture, clock, lines } = anOutput({ picture: aPicture({ tracks }), destination: tak })
  await vi.waitUntil(() => picture.watchers() === 1)

  const sleep = vi.spyOn(clock, 'sleep')
  for (let n = 0; n < 5; n++) picture.change({ tracks })
  // Until the machine takes no more either: the same write waits at two looks.
  let writesBefore = 0
  await vi.waitUntil(() => {
    const writes = sleep.mock.calls.filter(([ms]) => ms === stalledMs)
    const isStalled = writes.length > 0 && writes.length === writesBefore && writes.at(-1)?.[1]?.aborted === false
    writesBefore = writes.length
    return isStalled
  })
  await clock.advance(29_000)
  expect(lines).toEqual([])
  await clock.advance(1_000)
  await vi.waitUntil(() => lines.length > 0)
  expect(lines).toEqual(['Cursor on Target is not connected; retrying'])
})

test('other work runs between a few tracks of a large picture', async () => {
  const tak = await aTakServer()
  const picture = aPicture({ tracks: Array.from({ length: 2_000 }, (_, n) => aTrack({ id: `t${n}` })) })
  // Read once for each track.
  const timeMs = vi.spyOn(picture, 'timeMs', 'get')
  const sentAtOnce: number[] = []
  const watch = () => {
    sentAtOnce.push(timeMs.mock.calls.length)
    timeMs.mockClear()
    if (sentAtOnce.length < 10_000) turn = setImmediate(watch)
  }
  let turn = setImmediate(watch)
  onTestFinished(() => clearImmediate(turn))
  anOutput({ picture, destination: tak })
  await tak.received(2_000)

  expect(Math.max(...sentAtOnce)).toBeLessThanOrEqual(50)
})

test('over TLS the server is verified, and gets the certificate of the client', async () => {
  const { ca, server, client } = await someCertificates()
  const tak = await aTakServer({ tls: { ...server, ca } })
  const destination = { port: tak.port, host: 'localhost', isTls: true }
  anOutput({ destination, certificates: { ca, ...client } })

  expect(names(await tak.received(1))).toEqual(['t1'])
})

test.each<[string, (own: Awaited<ReturnType<typeof someCertificates>>) => CotCertificates]>([
  ['whose authority is unknown', ({ client }) => client],
  ['that wants a certificate which is missing', ({ ca }) => ({ ca })],
])('a TLS server %s gets nothing', async (_name, choose) => {
  const own = await someCertificates()
  const tak = await aTakServer({ tls: { ...own.server, ca: own.ca } })
  const { lines, clock } = anOutput({
    destination: { port: tak.port, host: 'localhost', isTls: true },
    certificates: choose(own),
  })
  // The clock of the test may run faster than the refusal comes: then it is connected for a moment.
  await vi.waitUntil(async () => {
    await clock.advance(1_000)
    return lines.includes('Cursor on Target is not connected; retrying')
  })
  await clock.advance(5_000)

  expect(tak.text()).toBe('')
})

test('a TLS server with another name gets nothing', async () => {
  const { ca, server, client } = await someCertificates()
  const tak = await aTakServer({ tls: { ...server, ca } })
  const { lines } = anOutput({ destination: { port: tak.port, isTls: true }, certificates: { ca, ...client } })
  await vi.waitUntil(() => lines.length > 0)

  expect([lines, tak.text()]).toEqual([['Cursor on Target is not connected; retrying'], ''])
})

test('stopping closes the connections, also one that is being opened', async () => {
  const tak = await aTakServer()
  const { stop, picture } = anOutput({ destination: tak })
  await tak.received(1)
  await stop()
  expect(picture.watchers()).toBe(0)
  await vi.waitUntil(() => tak.open().length === 0)

  await anOutput({ destination: { port: tak.port } }).stop()
})
