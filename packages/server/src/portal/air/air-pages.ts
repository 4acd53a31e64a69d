/**
 * The page of the air picture and what its scripts ask for. In: a request. Out: the page, its stream of server-sent
 * events, or JSON; all from the API's own operations, as the signed-in user.
 */
import type { AirAlert, AirAlertList, AirSensor, AirSensorList, AirTrack, AirTrackList } from '@posrep/spec'
import type { Response } from 'express'
import { ApiError } from '../../errors.ts'
import { toConnection } from '../../http/connection.ts'
import { writeEventStream } from '../../http/event-stream.ts'
import { writeAnswer } from '../../http/operation/answer.ts'
import type { JsonList } from '../../http/operation/json-list.ts'
import { jsonAnswer, jsonMedia, type PageAnswer } from '../../pages/answer.ts'
import { pageHeaders } from '../../pages/page-headers.ts'
import type { Visitor } from '../../web/cookies.ts'
import { airPath, withQuery } from '../layout/paths.ts'
import type { Visit, Visits } from '../visit/visit.ts'
import { airOffPage, airPage } from './air.tsx'
import type { OwnMap } from './air-map.tsx'
import { toOrder } from './air-order.ts'
import { readSensorRecords } from './sensor-records.ts'

const maxTracks = 10_000
/** As the document says. */
const maxHistorySeconds = 600

export function createAirPages({ visits, ownMap }: { visits: Visits; ownMap: OwnMap }) {
  async function show(visit: Visit, query: URLSearchParams): Promise<PageAnswer> {
    const { viewer, call } = visit
    try {
      const [{ tracks, timeMs }, alerts, sensors] = await Promise.all([
        call('listAirTracks', { query: { limit: maxTracks } }).then(readTracks),
        call('listAirAlerts', {}).then(readAlerts),
        call('listAirSensors', {}).then(readSensors),
      ])
      return airPage({
        viewer,
        ownMap,
        timeMs,
        tracks,
        ...alerts,
        sensors,
        records: await readSensorRecords(visit, sensors),
        order: toOrder(query),
        page: query.get('page'),
      })
    } catch (error) {
      if (isOff(error)) return airOffPage(viewer)
      throw error
    }
  }

  /** JSON for the page's scripts; 403 without a session. */
  async function answer(visitor: Visitor, read: (visit: Visit) => Promise<unknown>): Promise<PageAnswer> {
    const visit = await visits.find(visitor)
    if (!visit) return jsonAnswer(403, { message: 'Sign in first' })
    try {
      return { ...jsonAnswer(200, await read(visit)), accountId: visit.session.principal.accountId }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return jsonAnswer(error.code.endsWith('not_found') ? 404 : 503, { message: error.message })
    }
  }

  /** An answer that is written as fast as the browser takes it; 403 without a session. */
  async function write(visitor: Visitor, response: Response, begin: (visit: Visit) => Promise<void>): Promise<void> {
    const visit = await visits.find(visitor)
    if (!visit) return void response.status(403).end()
    try {
      await begin(visit)
    } catch (error) {
      if (!(error instanceof ApiError) || response.headersSent) throw error
      response
        .status(isOff(error) ? 404 : error.code === 'invalid_request' ? 400 : 503)
        .set('Retry-After', '10')
        .end()
    }
  }

  return {
    show: (visitor: Visitor, _id: string, query: URLSearchParams) =>
      visits.show(visitor, withQuery(airPath, query), (visit) => show(visit, query)),
    showTrack: (visitor: Visitor, trackId: string) =>
      answer(visitor, ({ call }) => call('getAirTrack', { path: { trackId } })),
    showSensors: (visitor: Visitor) =>
      answer(visitor, async (visit) =>
        readSensorRecords(visit, await readSensors(await visit.call('listAirSensors', {}))),
      ),
    async showBasemap(visitor: Visitor): Promise<PageAnswer> {
      if (!ownMap.basemap || !(await visits.find(visitor))) return jsonAnswer(404, { message: 'There is no basemap' })
      return { ...jsonAnswer(200, null), body: '', file: ownMap.basemap }
    },
    /** Where the targets were: of the box and the seconds of the query. */
    writeHistory: (visitor: Visitor, query: URLSearchParams, response: Response) =>
      write(visitor, response, async ({ call }) => {
        const connection = toConnection(response.req)
        const portions = await call('listAirHistory', { query: toHistoryQuery(query) }, { connection })
        await writeAnswer(response, { status: 200, headers: pageHeaders(), media: jsonMedia, text: '', portions })
      }),
    /** Ends with the session. */
    stream: (visitor: Visitor, response: Response) =>
      write(visitor, response, async ({ call }) => {
        const lastEventId = response.req.get('last-event-id')
        const events = await call(
          'followAir',
          {},
          {
            ...(lastEventId !== undefined && { headers: { 'last-event-id': lastEventId } }),
            async checkToken() {
              if (!(await visits.find(visitor))) throw new ApiError('invalid_token', 'The session has ended')
            },
          },
        )
        await writeEventStream(response, events)
      }),
  }
}

export type AirPages = ReturnType<typeof createAirPages>

/** The active alert that this sensor is silent; undefined without one, and without an air picture. */
export async function findSilence({ call }: Visit, deviceId: string): Promise<AirAlert | undefined> {
  try {
    const { alerts } = await readAlerts(await call('listAirAlerts', {}))
    return alerts.find(({ state, silentSensor }) => state === 'active' && silentSensor?.deviceId === deviceId)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** The page's own scripts send nothing that this would change. */
function toHistoryQuery(query: URLSearchParams): { bbox?: string; seconds: number; limit: number } {
  const bbox = query.get('bbox')
  const seconds = Math.min(
    maxHistorySeconds,
    Math.max(1, Math.round(Number(query.get('seconds'))) || maxHistorySeconds),
  )
  return { ...(bbox !== null && { bbox }), seconds, limit: maxTracks }
}

/** Whether the operation is switched off. */
function isOff(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}

async function readTracks(list: JsonList<AirTrackList>): Promise<{ tracks: AirTrack[]; timeMs: number }> {
  const tracks = await list.objects<AirTrack>()
  return { tracks, timeMs: Date.parse(list.members().time ?? '') }
}

async function readAlerts(list: JsonList<AirAlertList>): Promise<{ alerts: AirAlert[]; moreAlerts: number }> {
  const alerts = await list.objects<AirAlert>()
  return { alerts, moreAlerts: list.members().more ?? 0 }
}

function readSensors(list: JsonList<AirSensorList>): Promise<AirSensor[]> {
  return list.objects()
}
