/**
 * Reads where targets were before this page saw them, so that trails and the replay do not begin empty.
 * In: what the map shows. Out: points of trails, and targets that ended before the page was open. It is read again when
 * the map shows a place that was not read, and after a lost connection.
 */

import type { AirHistory, AirTrackDetail } from '@posrep/spec'
import type { AirMap, AirMapOptions, HistoryState } from './air-map.ts'
import type { DrawnMap } from './draw/map.ts'
import { toLat, toLon, toX, toY } from './model/mercator.ts'
import { windowMs } from './model/picture.ts'
import type { PastPoint } from './model/trail.ts'
import { nearestX, type View } from './model/view.ts'

export interface ReadHistoryOptions {
  map: AirMap
  drawn: DrawnMap
  read: NonNullable<AirMapOptions['readHistory']>
  signal: AbortSignal
  onState(state: HistoryState): void
  /** Points were added to the picture. */
  onPaths(): void
}

const everyMs = 1_000
/** Between two requests. */
const pauseMs = 5_000
/** What is read around the map, in widths and heights of the map. */
const margin = 0.5

/** A box of the projection. */
interface Box {
  x: number
  y: number
  halfWidth: number
  halfHeight: number
}

export function readHistory({ map, drawn, read, signal, onState, onPaths }: ReadHistoryOptions): void {
  const { picture } = map
  let known: Box | undefined
  let askedAt = -Infinity
  /** Of connections. */
  let losses = 0

  async function ask(box: Box): Promise<HistoryState> {
    const history = await tryRead(box)
    if (!history) return 'failed'
    const timeMs = Date.parse(history.time)
    picture.addPaths(
      history.data.map(({ id, type, identifiers, deviceIds: devices, ended: hasEnded, points }) => {
        return { id, type, identifiers, devices, hasEnded, past: points.map((point) => toPast(point, timeMs)) }
      }),
    )
    onPaths()
    return history.truncated ? 'partly' : 'read'
  }

  async function keepRead(): Promise<void> {
    const view = drawn.view()
    const isKnown = known !== undefined && covers(known, view)
    if (Number.isNaN(picture.timeMs) || isKnown || map.link === 'lost' || document.hidden) return
    if (map.history === 'reading' || performance.now() - askedAt < pauseMs) return
    askedAt = performance.now()
    const box = around(view)
    onState('reading')
    const lossesBefore = losses
    const state = await ask(box)
    // What came after the answer is missing when the connection broke meanwhile.
    if (state !== 'failed' && losses === lossesBefore) known = box
    if (!signal.aborted) onState(state)
  }

  /** Undefined if it cannot be read. */
  async function tryRead(box: Box): Promise<AirHistory | undefined> {
    try {
      return await read({ ...toBoundingBox(box), seconds: windowMs / 1_000, signal })
    } catch {
      // It is tried again, and `history` tells that it failed.
      return undefined
    }
  }

  map.on('link', () => {
    if (map.link !== 'lost') return
    losses++
    known = undefined
  })
  map.on('frame', () => {
    if (map.history === undefined) void keepRead()
  })
  const timer = setInterval(keepRead, everyMs)
  signal.addEventListener('abort', () => clearInterval(timer))
}

function around({ x, y, scale, width, height }: View): Box {
  const share = 0.5 + margin
  return { x, y, halfWidth: (width * share) / scale, halfHeight: (height * share) / scale }
}

function covers({ x, y, halfWidth, halfHeight }: Box, view: View): boolean {
  const [dx, dy] = [Math.abs(nearestX(view.x, x) - x), Math.abs(view.y - y)]
  const isWhole = halfWidth >= 0.5
  return (isWhole || dx + view.width / 2 / view.scale <= halfWidth) && dy + view.height / 2 / view.scale <= halfHeight
}

/** Nothing for the whole world. */
function toBoundingBox({ x, y, halfWidth, halfHeight }: Box): { bbox?: string } {
  if (halfWidth >= 0.5) return {}
  const wrapped = (lon: number) => lon - 360 * Math.round(lon / 360)
  const degrees = [
    wrapped(toLon(x - halfWidth)),
    toLat(Math.min(1, y + halfHeight)),
    wrapped(toLon(x + halfWidth)),
    toLat(Math.max(0, y - halfHeight)),
  ]
  return { bbox: degrees.map((one) => one.toFixed(4)).join() }
}

function toPast([lon = 0, lat = 0, secondsBefore = 0, height = Number.NaN]: number[], timeMs: number): PastPoint {
  return { timeMs: timeMs - secondsBefore * 1_000, x: toX(lon), y: toY(lat), altitudeMetres: height }
}

/** A position of the history of one track. */
export function toPastPoint({ time, position, altitude }: AirTrackDetail['history'][number]): PastPoint {
  const altitudeMetres = altitude?.height ?? Number.NaN
  return { timeMs: Date.parse(time), x: toX(position.lon), y: toY(position.lat), altitudeMetres }
}
