/** The lists of an air picture with many tracks: in portions, each in the account's turn. */
import type { AirTrack } from '@posrep/spec'
import { describe, expect, test } from 'vitest'
import { airOperations } from '../../src/air/operations.ts'
import { createSort } from '../../src/air/read-in-portions.ts'
import type { ReadingBudget } from '../../src/concurrency/reading-budget.ts'
import { createManualClock } from '../../src/contracts/manual-clock.ts'
import { ApiError } from '../../src/errors.ts'
import type { JsonList } from '../../src/http/operation/json-list.ts'
import { toOperationRequest } from '../../src/http/operation/operation-request.ts'
import { anAlert, aPicture, aSensor, aTrack, picturesOf } from './a-picture.ts'

const clock = createManualClock()
const time = new Date(clock.now()).toISOString()
const openBudget: ReadingBudget = { during: (_, read) => read(), inPortions: (_, portions) => portions }
const principal = {
  kind: 'user' as const,
  userId: 'u',
  accountId: 'acme',
  clientId: 'app',
  scopes: [],
  tokenId: 't',
}

function manyTracks(count: number, differences: Partial<AirTrack> = {}): AirTrack[] {
  return Array.from({ length: count }, (_, n) => aTrack({ id: `t${String(n).padStart(5, '0')}`, time, ...differences }))
}

function anAir(tracks: AirTrack[], budget = openBudget) {
  const picture = aPicture({ tracks, alerts: [anAlert()], sensors: [aSensor()] })
  const { pictures, areas } = picturesOf({ acme: picture })
  const operations = airOperations({ pictures, areas, budget, clock, stopping: new AbortController().signal })
  async function list(name: (typeof lists)[number], query: object = {}) {
    // All of them answer with a list that is made in portions.
    const operation = operations[name] as unknown as (request: unknown) => Promise<{ body: JsonList<Listed> }>
    return (await operation(toOperationRequest({ path: {}, query } as never, { principal }))).body
  }
  return { picture, list }
}

interface Listed {
  data: AirTrack[]
  features: AirTrack[]
  aircraft: { hex: string }[]
  messages: number
  truncated: boolean
}

const lists = [
  'listAirTracks',
  'listAirTracksAsGeoJson',
  'listAirAircraft',
  'listAirHistory',
  'listAirAlerts',
  'listAirSensors',
] as const

async function readWhole(list: JsonList<Listed>): Promise<Listed> {
  let text = ''
  for await (const part of list.text()) text += part
  return JSON.parse(text)
}

const idsOf = (tracks: AirTrack[]) => tracks.map(({ id }) => id)

test.each(lists)('%s waits for the turn of the account', async (name) => {
  const asked: string[] = []
  const { list } = anAir(manyTracks(1), {
    ...openBudget,
    inPortions({ accountId }) {
      asked.push(accountId)
      throw new ApiError('unavailable', 'Too many lists are being read at once')
    },
  })

  await expect(list(name)).rejects.toMatchObject({ code: 'unavailable' })
  expect(asked).toEqual(['acme'])
})

test.each(['listAirTracks', 'listAirTracksAsGeoJson', 'listAirAircraft'] as const)(
  '%s makes at most 200 tracks at a time',
  async (name) => {
    const sizes: number[] = []
    const { list } = anAir(manyTracks(1_050))
    for await (const items of (await list(name)).items()) sizes.push(items.length)

    expect(sizes).toEqual([200, 200, 200, 200, 200, 50])
  },
)

describe('the tracks', () => {
  test('are listed once each and in order while the picture changes', async () => {
    const { picture, list } = anAir(manyTracks(600))
    const read: string[] = []
    let portions = 0
    for await (const items of (await list('listAirTracks')).items()) {
      for (const item of items) read.push((item as AirTrack).id)
      if (portions++ === 0)
        picture.change({
          tracks: [aTrack({ id: 't00000a' }), aTrack({ id: 't00300a' }), aTrack({ id: 't00100' })],
          ended: ['t00001', 't00400'],
        })
    }

    expect(read).toEqual(read.toSorted())
    expect(new Set(read).size).toBe(read.length)
    expect([read.includes('t00300a'), read.includes('t00400'), read.length]).toEqual([true, false, 600])
  })

  test('after a limit are the rest', async () => {
    const { list } = anAir(manyTracks(500))
    const first = await readWhole(await list('listAirTracks', { limit: 300 }))
    const rest = await readWhole(await list('listAirTracks', { limit: 300, after: first.data.at(-1)?.id }))

    expect([first.truncated, rest.truncated]).toEqual([true, false])
    expect([...idsOf(first.data), ...idsOf(rest.data)]).toEqual(idsOf(manyTracks(500)))
  })

  test('end after 16 MiB, and the answer says so', async () => {
    const identifiers = [{ id: 'x'.repeat(64 * 1_024), type: 'CallSign' }]
    const { list } = anAir(manyTracks(500, { identifiers }))
    const first = await readWhole(await list('listAirTracks', { limit: 10_000 }))
    const rest = await readWhole(await list('listAirTracks', { limit: 10_000, after: first.data.at(-1)?.id }))

    expect([first.truncated, rest.truncated, first.data.length + rest.data.length]).toEqual([true, false, 500])
    expect(first.data.length * 64 * 1_024).toBeLessThan(30 * 1_024 * 1_024)
  })

  test('of a frame are sorted once for all readers', () => {
    const picture = aPicture({ tracks: manyTracks(3) })
    const sort = createSort(
      (of) => of.tracks(),
      ({ id }: AirTrack) => id,
    )
    const before = sort(picture)
    expect(sort(picture)).toBe(before)

    picture.change({ tracks: [aTrack({ id: 't00001a' })] })
    expect(idsOf([...sort(picture)])).toEqual(['t00000', 't00001', 't00001a', 't00002'])
  })
})

test('in the format of readsb, two tracks of different portions do not have the same ICAO address', async () => {
  const identifiers = [{ id: '461F9C', type: 'ICAO' }]
  const tracks = manyTracks(450, { identifiers: [], positions: 1 })
  tracks[3] = aTrack({ ...tracks[3], identifiers, positions: 5 })
  tracks[420] = aTrack({ ...tracks[420], identifiers, positions: 9 })
  const { aircraft, messages } = await readWhole(await anAir(tracks).list('listAirAircraft'))

  expect([aircraft.length, messages]).toEqual([450, 448 + 5 + 9])
  expect(aircraft.flatMap(({ hex }, n) => (hex === '461f9c' ? [n] : []))).toEqual([420])
})
