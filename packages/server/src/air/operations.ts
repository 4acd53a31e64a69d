/**
 * The operations of the air picture. A user sees the picture of the own account.
 * In: the pictures and areas of all accounts, or undefined if the air picture is off. Out: the handlers.
 */
import type { AirHistory, AirTrack, AirTrackList } from '@posrep/spec'
import type { ReadingBudget } from '../concurrency/reading-budget.ts'
import { ApiError } from '../errors.ts'
import type { EventStream } from '../http/event-stream.ts'
import { JsonList, type Portions } from '../http/operation/json-list.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { getUser } from '../http/operation/principal.ts'
import { toTime } from './account/to-wire.ts'
import type { AirAreas } from './areas.ts'
import { isInBox, toBox } from './box.ts'
import { checkAreas } from './check-areas.ts'
import { toGeoJson } from './formats/geo-json.ts'
import { toReadsb } from './formats/readsb.ts'
import type { AirPicture, AirPictures, HistoryQuery } from './picture.ts'
import { type AirStreamsOptions, createAirStreams } from './stream/streams.ts'
import { toTrackText } from './track-text.ts'

type AirOperation =
  | 'listAirTracks'
  | 'getAirTrack'
  | 'listAirHistory'
  | 'listAirAlerts'
  | 'listAirAreas'
  | 'setAirAreas'
  | 'listAirSensors'
  | 'followAir'
  | 'listAirAircraft'
  | 'listAirTracksAsGeoJson'

type AirHandlers = Pick<Handlers, AirOperation>

export interface AirOptions extends AirStreamsOptions {
  pictures: AirPictures
  areas: AirAreas
  budget: ReadingBudget
}

const notice = 'Not for navigation'
const maxAlerts = 1_000
const defaultLimit = 2_000
/** In one answer. */
const maxTracks = 10_000
const maxHistorySeconds = 600

/** @param air Undefined = off: every operation is answered with 404. */
export function airOperations(air: AirOptions | undefined): AirHandlers {
  return air ? createOperations(air) : offOperations
}

function createOperations({ pictures, areas, budget, ...options }: AirOptions): AirHandlers {
  const { streamPicture } = createAirStreams({ pictures, ...options })
  const openOf = (request: Parameters<typeof getUser>[0]) => pictures.open(getUser(request).accountId)

  /** It is in memory until the client has taken it. */
  async function* readHistory(accountId: string, query: HistoryQuery): Portions<AirHistory> {
    const endReading = await budget.begin(accountId)
    try {
      const { timeMs, paths, truncated } = await (await pictures.open(accountId)).history(query)
      for (let from = 0; from < paths.length; from += tracksPerPortion) yield paths.slice(from, from + tracksPerPortion)
      return { notice, time: toTime(timeMs), since: toTime(timeMs - query.seconds * 1_000), truncated }
    } finally {
      endReading()
    }
  }

  return {
    async listAirTracks(request) {
      return { status: 200, body: await JsonList.start(toPortions(await openOf(request), request.query)) }
    },
    async getAirTrack(request) {
      const { trackId } = request.path
      const body = await (await openOf(request)).detail(trackId)
      if (!body) throw new ApiError('track_not_found', `There is no track "${trackId}" now; it may have ended`)
      return { status: 200, body }
    },
    async listAirHistory(request) {
      const { bbox, seconds = maxHistorySeconds, limit = defaultLimit } = request.query
      const query = { box: toBox(bbox), seconds, limit }
      return { status: 200, body: await JsonList.start(readHistory(getUser(request).accountId, query)) }
    },
    async listAirAlerts(request) {
      const picture = await openOf(request)
      const more = picture.moreAlerts()
      const data = picture.alerts().slice(0, maxAlerts)
      return { status: 200, body: { notice, time: timeOf(picture), data, ...(more > 0 && { more }) } }
    },
    async listAirAreas(request) {
      return { status: 200, body: await areas.get(getUser(request).accountId) }
    },
    async setAirAreas(request) {
      const { accountId } = getUser(request)
      checkAreas(request.body)
      await areas.set(accountId, request.body)
      return { status: 200, body: request.body }
    },
    async listAirSensors(request) {
      const sensors = [...(await openOf(request)).sensors()]
      const data = sensors.sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
      return { status: 200, body: { data } }
    },
    async followAir(request) {
      const { accountId, userId } = getUser(request)
      const body: EventStream = await streamPicture({
        accountId,
        userId,
        address: request.address,
        box: toBox(request.query.bbox),
        lastEventId: toText(request.headers['last-event-id']),
        checkAccess: request.checkToken,
      })
      return { status: 200, body }
    },
    async listAirAircraft(request) {
      const picture = await openOf(request)
      const { tracks } = readTracks(picture, { ...request.query, limit: maxTracks })
      // Readers judge by `now` whether the file is still written, so it is not the time of a picture that may stand still.
      return { status: 200, body: toReadsb(tracks, options.clock.now()) }
    },
    async listAirTracksAsGeoJson(request) {
      const picture = await openOf(request)
      return { status: 200, body: toGeoJson(readTracks(picture, request.query), picture.timeMs) }
    },
  }
}

const tracksPerPortion = 200

async function* toPortions(picture: AirPicture, asked: AskedTracks): Portions<AirTrackList> {
  const { tracks, ...rest } = readTracks(picture, asked)
  for (let from = 0; from < tracks.length; from += tracksPerPortion) {
    yield tracks.slice(from, from + tracksPerPortion).map(toTrackText)
  }
  return { notice, ...rest }
}

interface AskedTracks {
  bbox?: string
  limit?: number
}

function readTracks(picture: AirPicture, { bbox, limit = defaultLimit }: AskedTracks) {
  const box = toBox(bbox)
  const found: AirTrack[] = []
  for (const track of picture.tracks()) if (!box || isInBox(box, track.position)) found.push(track)
  found.sort((a, b) => (a.id < b.id ? -1 : 1))
  return { tracks: found.slice(0, limit), truncated: found.length > limit, time: timeOf(picture) }
}

function timeOf({ timeMs }: AirPicture): string {
  return toTime(timeMs)
}

function toText(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined
}

const off = async (): Promise<never> => {
  throw new ApiError('not_found', 'The air picture is switched off on this server; its operator can set --air on')
}

const offOperations: AirHandlers = {
  listAirTracks: off,
  getAirTrack: off,
  listAirHistory: off,
  listAirAlerts: off,
  listAirAreas: off,
  setAirAreas: off,
  listAirSensors: off,
  followAir: off,
  listAirAircraft: off,
  listAirTracksAsGeoJson: off,
}
