/**
 * The operations of the air picture. A user sees the picture of the own account.
 * In: the pictures and areas of all accounts, or undefined if the air picture is off. Out: the handlers.
 */

import { type HistoryQuery, isInBox } from '@posrep/air'
import { toGeoJsonFeature, toReadsb } from '@posrep/air/formats'
import type {
  AirAlertList,
  AirHistory,
  AirSensor,
  AirSensorList,
  AirTrack,
  AirTrackCollection,
  AirTrackList,
  ReadsbAircraftList,
} from '@posrep/spec'
import { createLimit } from '../concurrency/limit.ts'
import type { ReadingBudget } from '../concurrency/reading-budget.ts'
import { ApiError } from '../errors.ts'
import type { EventStream } from '../http/event-stream.ts'
import { JsonList, type Portions } from '../http/operation/json-list.ts'
import type { Handlers } from '../http/operation/operation.ts'
import { getReader, getUser } from '../http/operation/principal.ts'
import type { AirAreas } from './areas.ts'
import { toBox } from './box.ts'
import { checkAreas } from './check-areas.ts'
import type { AirPicture, AirPictures } from './picture.ts'
import { createSort, readInPortions } from './read-in-portions.ts'
import { type AirStreamsOptions, createAirStreams } from './stream/streams.ts'

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

type AirRequest = Parameters<typeof getReader>[0]
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

const idOfTrack = ({ id }: AirTrack) => id
const idOfSensor = ({ deviceId }: AirSensor) => deviceId
const sortTracks = createSort((picture) => picture.tracks(), idOfTrack)
const sortSensors = createSort((picture) => picture.sensors(), idOfSensor)

/** @param air Undefined = off: every operation is answered with 404. */
export function airOperations(air: AirOptions | undefined): AirHandlers {
  return air ? createOperations(air) : offOperations
}

function createOperations({ pictures, areas, budget, ...options }: AirOptions): AirHandlers {
  const checksOfAccount = createLimit()
  const checks = createLimit({ maxWaiting: 20 })
  const { streamPicture } = createAirStreams({ pictures, ...options })
  const openOf = (request: AirRequest) => pictures.open(getUser(request).accountId)

  function readTracks(
    request: AirRequest,
    { bbox, limit = defaultLimit, after }: { bbox?: string; limit?: number; after?: string },
    toItems?: (tracks: AirTrack[], all: readonly AirTrack[]) => object[],
  ) {
    const box = toBox(bbox)
    const source = { open: () => openOf(request), sort: sortTracks, idOf: idOfTrack }
    return readInPortions(
      source,
      { limit, after, ...(box && { isShown: ({ position }) => isInBox(box, position) }) },
      toItems,
    )
  }

  /** Where the tracker runs, all of it is read at once, so it is one portion. */
  async function* readHistory(request: AirRequest, query: HistoryQuery): Portions<AirHistory> {
    const { timeMs, paths, truncated } = await (await openOf(request)).history(query)
    yield paths
    return { notice, time: toTime(timeMs), since: toTime(timeMs - query.seconds * 1_000), truncated }
  }

  async function* readAlerts(request: AirRequest): Portions<AirAlertList> {
    const picture = await openOf(request)
    const more = picture.moreAlerts()
    const time = timeOf(picture)
    yield picture.alerts().slice(0, maxAlerts)
    return { notice, time, ...(more > 0 && { more }) }
  }

  async function* readSensors(request: AirRequest): Portions<AirSensorList> {
    const source = { open: () => openOf(request), sort: sortSensors, idOf: idOfSensor }
    yield* readInPortions(source, { limit: Number.POSITIVE_INFINITY })
    return {}
  }

  async function* readAircraft(
    request: AirRequest,
    query: { bbox?: string },
    nowMs: number,
  ): Portions<ReadsbAircraftList, 'aircraft', 'now' | 'notice'> {
    let messages = 0
    yield* readTracks(request, { ...query, limit: maxTracks }, (tracks, all) => {
      const part = toReadsb(tracks, { timeMs: nowMs, all })
      messages += part.messages
      return part.aircraft
    })
    return { messages }
  }

  return {
    async listAirTracks(request) {
      const time = timeOf(await openOf(request))
      const tracks = budget.inPortions(getReader(request), readTracks(request, request.query))
      return {
        status: 200,
        body: await JsonList.startAfter<AirTrackList, 'data', 'notice' | 'time'>({ notice, time }, 'data', tracks),
      }
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
      const paths = budget.inPortions(getReader(request), readHistory(request, query))
      return { status: 200, body: await JsonList.start<AirHistory>(paths) }
    },
    async listAirAlerts(request) {
      const alerts = budget.inPortions(getReader(request), readAlerts(request))
      return { status: 200, body: await JsonList.start<AirAlertList>(alerts) }
    },
    async listAirAreas(request) {
      return { status: 200, body: await areas.get(getUser(request).accountId) }
    },
    async setAirAreas(request) {
      const { accountId } = getUser(request)
      // Of all accounts, one list is checked at a time, and one of an account waits for that.
      await checksOfAccount(accountId, () => checks('areas', () => checkAreas(request.body)))
      await areas.set(accountId, request.body)
      return { status: 200, body: request.body }
    },
    async listAirSensors(request) {
      const sensors = budget.inPortions(getReader(request), readSensors(request))
      return { status: 200, body: await JsonList.start<AirSensorList>(sensors) }
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
      // Readers judge by `now` whether the file is still written, so it is not the time of a picture that may stand
      // still.
      const nowMs = options.clock.now()
      const aircraft = budget.inPortions(getReader(request), readAircraft(request, request.query, nowMs))
      const before = { now: nowMs / 1_000, notice } as const
      return {
        status: 200,
        body: await JsonList.startAfter<ReadsbAircraftList, 'aircraft', 'now' | 'notice'>(before, 'aircraft', aircraft),
      }
    },
    async listAirTracksAsGeoJson(request) {
      const { timeMs } = await openOf(request)
      const features = budget.inPortions(
        getReader(request),
        readTracks(request, request.query, (tracks) => tracks.map(toGeoJsonFeature)),
      )
      const before = { type: 'FeatureCollection', notice, time: toTime(timeMs) } as const
      return {
        status: 200,
        body: await JsonList.startAfter<AirTrackCollection, 'features', 'type' | 'notice' | 'time'>(
          before,
          'features',
          features,
        ),
      }
    },
  }
}

function timeOf({ timeMs }: AirPicture): string {
  return toTime(timeMs)
}

function toTime(timeMs: number): string {
  return new Date(timeMs).toISOString()
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
