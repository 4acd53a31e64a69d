/**
 * Reads where targets were before this page saw them, so that trails and the replay do not begin empty.
 * In: what the map shows. Out: points of trails, and targets that ended before the page was open. It is read again when the map shows
 * a place that was not read, and after a lost connection.
 */
import type { AirHistory } from '@posrep/spec'
import { fetchVisible } from '../feed/visible-json.ts'
import { toLat, toLon, toX, toY } from '../model/mercator.ts'
import { windowMs } from '../model/picture.ts'
import type { PastPoint } from '../model/trail.ts'
import { nearestX, type View } from '../model/view.ts'
import type { HistoryState, Session } from './session.ts'

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

export function readHistory(session: Session): void {
  const { picture, map } = session
  let read: Box | undefined
  let askedAt = -Infinity
  /** Of connections. */
  let losses = 0

  async function ask(box: Box): Promise<HistoryState> {
    const query = new URLSearchParams({ seconds: String(windowMs / 1_000), ...toBoundingBox(box) })
    const history = await fetchVisible<AirHistory>(`/air/history?${query}`)
    if (!history) return 'failed'
    const timeMs = Date.parse(history.time)
    picture.addPaths(
      history.data.map(({ id, type, identifiers, deviceIds: devices, ended: hasEnded, points }) => {
        return { id, type, identifiers, devices, hasEnded, past: points.map((point) => toPast(point, timeMs)) }
      }),
    )
    session.applyFilter()
    map.redraw()
    return history.truncated ? 'partly' : 'read'
  }

  async function keepRead(): Promise<void> {
    const view = map.view()
    const isKnown = read !== undefined && covers(read, view)
    if (Number.isNaN(picture.timeMs) || isKnown || session.link === 'lost' || document.hidden) return
    if (session.history === 'reading' || performance.now() - askedAt < pauseMs) return
    askedAt = performance.now()
    const box = around(view)
    set('reading')
    const lossesBefore = losses
    const state = await ask(box)
    // What came after the answer is missing when the connection broke meanwhile.
    if (state !== 'failed' && losses === lossesBefore) read = box
    set(state)
  }

  function set(state: HistoryState): void {
    session.history = state
    session.tell('history')
  }

  session.on('link', () => {
    if (session.link !== 'lost') return
    losses++
    read = undefined
  })
  session.on('frame', () => {
    if (session.history === undefined) void keepRead()
  })
  setInterval(keepRead, everyMs)
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
