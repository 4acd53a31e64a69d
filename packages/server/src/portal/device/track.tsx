/**
 * Draws recent positions as tracks, north up: one line per target, with the newest position marked. It is drawn once, because it is
 * large.
 * The table beside it has the newest positions.
 */
import { Time } from '../../pages/time.tsx'
import type { RecentPositions } from './recent-positions.ts'

const sizePx = 320
const marginPx = 16

type TrackDrawingProps = Pick<RecentPositions, 'tracks' | 'undrawn' | 'read' | 'hasOlder'> & { nowMs: number }

export function TrackDrawing({ tracks, undrawn, read, hasOlder, nowMs }: TrackDrawingProps) {
  if (tracks.length === 0) return null
  const { toX, toY, widthKm } = toProjection(tracks.flatMap(({ points }) => points))
  return (
    <figure class="tracks">
      <svg
        viewBox={`0 0 ${sizePx} ${sizePx}`}
        role="img"
        aria-label={`Tracks of ${tracks.length} ${tracks.length === 1 ? 'target' : 'targets'}, north up`}
      >
        {tracks.map(({ name, points }) => {
          const newest = points.at(-1)
          return (
            <g key={name}>
              <polyline points={points.map(({ lat, lon }) => `${toX(lon)},${toY(lat)}`).join(' ')} />
              {newest && <circle cx={toX(newest.lon)} cy={toY(newest.lat)} r="4" />}
              {newest && tracks.length <= 12 && <TargetName name={name} x={toX(newest.lon)} y={toY(newest.lat)} />}
            </g>
          )
        })}
      </svg>
      <figcaption class="help">
        Drawn <Time atMs={nowMs} nowMs={nowMs} />; reload the page to draw it again. North up,{' '}
        {widthKm < 10 ? widthKm.toFixed(2) : Math.round(widthKm)} km from side to side. Not for navigation.
        {hasOlder && ` Only the newest ${read} positions are drawn.`}
        {undrawn > 0 && ` ${undrawn} more ${undrawn === 1 ? 'target is' : 'targets are'} not drawn.`}
      </figcaption>
    </figure>
  )
}

/** The name of a target, beside its point, on the side that has room. */
function TargetName({ name, x, y }: { name: string; x: number; y: number }) {
  const isRight = x < sizePx / 2
  return (
    <text x={isRight ? x + 7 : x - 7} y={y + 4} text-anchor={isRight ? 'start' : 'end'}>
      {name.slice(0, 16)}
    </text>
  )
}

/** Equirectangular projection around the centre. Tracks that cross the date line are drawn wrong. */
function toProjection(points: { lat: number; lon: number }[]) {
  const lats = points.map(({ lat }) => lat)
  const lons = points.map(({ lon }) => lon)
  const [south, north] = [least(lats), most(lats)]
  const [west, east] = [least(lons), most(lons)]
  const shrink = Math.max(0.01, Math.cos((((south + north) / 2) * Math.PI) / 180))
  // At least 0.0005° (about 50 m), so that a target that stands still is a point in the centre.
  const spanDegrees = Math.max(north - south, (east - west) * shrink, 0.0005)
  const scale = (sizePx - 2 * marginPx) / spanDegrees
  const round = (px: number) => Math.round(px * 10) / 10
  return {
    toX: (lon: number) => round(sizePx / 2 + (lon - (west + east) / 2) * shrink * scale),
    toY: (lat: number) => round(sizePx / 2 - (lat - (south + north) / 2) * scale),
    widthKm: (sizePx / scale) * 111.32,
  }
}

function least(values: number[]): number {
  return values.reduce((a, b) => Math.min(a, b))
}

function most(values: number[]): number {
  return values.reduce((a, b) => Math.max(a, b))
}
