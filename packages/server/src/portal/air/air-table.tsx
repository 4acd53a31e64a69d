/**
 * The targets as a table, as the server renders it; `pages/map/page/table.ts` keeps it current in browsers that run
 * scripts.
 */

import {
  datums,
  kindWords,
  pickAltitude,
  stateWords,
  toAltitudeText,
  toClimbText,
  toKind,
  toName,
  toPositionText,
  toShortDevice,
  toSpeedText,
  toTrackText,
} from '@posrep/air/words'
import { toVisible } from '@posrep/kernel/visible'
import type { AirTrack } from '@posrep/spec'
import { PageLinks, paginate } from '../../pages/page-links.tsx'
import { Time } from '../../pages/time.tsx'
import { airPath, withQuery } from '../layout/paths.ts'
import { type Order, type SortKey, sortTracks } from './air-order.ts'

const columns: [SortKey | undefined, string][] = [
  ['name', 'Target'],
  ['kind', 'Kind'],
  ['state', 'State'],
  ['altitude', 'Altitude'],
  ['climb', 'Vertical rate'],
  ['speed', 'Speed'],
  ['track', 'Track'],
  [undefined, 'Position'],
  [undefined, 'Sensors'],
  ['seen', 'Seen'],
]

export interface AirTableProps {
  tracks: readonly AirTrack[]
  order: Order
  page: string | null
  nowMs: number
}

export function AirTable({ tracks, order, page, nowMs }: AirTableProps) {
  const { items, ...pages } = paginate(sortTracks(tracks, order), page)
  return (
    <>
      <div class="scroll stacks air-table">
        <table aria-label="Targets">
          <thead>
            <tr>
              {columns.map(([key, label]) => (
                <th key={label} scope="col" aria-sort={key === order.key ? toAriaSort(order) : undefined}>
                  {key === undefined ? (
                    label
                  ) : (
                    <a href={toSortHref(key, order)} data-sort={key}>
                      {label}
                    </a>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody data-rows>
            {items.map((track) => (
              <Row key={track.id} track={track} nowMs={nowMs} />
            ))}
          </tbody>
        </table>
      </div>
      <div data-pages>
        <PageLinks {...pages} path={airPath} query={toQuery(order)} />
      </div>
    </>
  )
}

function Row({ track, nowMs }: { track: AirTrack; nowMs: number }) {
  const { position, groundVelocity: { x, y, z } = {}, onGround, sensors } = track
  const altitude = pickAltitude(track.altitudes)
  const speed = x === undefined || y === undefined ? undefined : Math.hypot(x, y)
  return (
    <tr>
      <th scope="row">{toVisible(toName(track))}</th>
      <td data-label="Kind">{kindWords[toKind(track.type)]}</td>
      <td data-label="State">{stateWords[track.state]}</td>
      <td data-label="Altitude">
        {onGround === true ? 'on the ground' : toAltitudeText(altitude?.height, 'metric')}
        {altitude && onGround !== true && <span class="help"> {datums[altitude.datum].short}</span>}
      </td>
      <td data-label="Vertical rate">{toClimbText(z, 'metric')}</td>
      <td data-label="Speed">{toSpeedText(speed, 'metric')}</td>
      <td data-label="Track">{toTrackText(x, y)}</td>
      <td data-label="Position">{toPositionText(position.lat, position.lon)}</td>
      <td data-label="Sensors">{sensors.map(({ deviceId }) => toShortDevice(deviceId)).join(', ')}</td>
      <td data-label="Seen">
        <Time atMs={Date.parse(track.receivedAt)} nowMs={nowMs} />
      </td>
    </tr>
  )
}

function toAriaSort({ isDescending }: Order): 'ascending' | 'descending' {
  return isDescending ? 'descending' : 'ascending'
}

function toSortHref(key: SortKey, order: Order): string {
  const isDescending = key === order.key && !order.isDescending
  return withQuery(airPath, new URLSearchParams(toQuery({ key, isDescending })))
}

function toQuery({ key, isDescending }: Order): Record<string, string> {
  return { sort: key, ...(isDescending && { order: 'descending' }) }
}
