/** The recent reports of a device: one row per target with its newest position. */

import { toVisible } from '@posrep/kernel/visible'
import { Live } from '../../pages/live.tsx'
import { LiveTable } from '../../pages/live-table.tsx'
import { Time } from '../../pages/time.tsx'
import { toAltitude, toSpeed, toTags } from './position-words.ts'
import type { RecentPositions, RecentTarget, SeenPosition } from './recent-positions.ts'

export interface RecentProps {
  recent: RecentPositions
  stores: boolean
  /** Of the page. */
  query: URLSearchParams
  nowMs: number
}

/** Without `targets=all`, the page stays short on a phone. */
const maxListed = 10

export function Recent({ recent, stores, query, nowMs }: RecentProps) {
  const { targets, read } = recent
  const listsAll = query.get('targets') === 'all'
  const listed = listsAll ? targets : targets.slice(0, maxListed)
  return (
    <section class="panel part" aria-labelledby="recent-heading">
      <h2 id="recent-heading">Targets</h2>
      <Live id="recent-summary">
        <p class="quiet">
          {read > 0 && <Summary {...recent} />}
          {read === 0 && stores && 'No reports in the last hour. New reports appear here.'}
          {read === 0 &&
            !stores &&
            'Reports are not stored. Switch storage on to see them here. Forwarding to the relay does not depend on it.'}
        </p>
      </Live>
      <LiveTable
        id="targets"
        columns={['Target', 'Received', 'Position', 'Altitude', 'Speed', 'Tags']}
        rows={listed.map((target) => <TargetRow key={target.id} target={target} nowMs={nowMs} />)}
      />
      <Live id="recent-more">
        {targets.length > maxListed && <More count={targets.length} listsAll={listsAll} query={query} />}
      </Live>
    </section>
  )
}

function More({ count, listsAll, query }: { count: number; listsAll: boolean; query: URLSearchParams }) {
  const other = new URLSearchParams(query)
  if (listsAll) other.delete('targets')
  else other.set('targets', 'all')
  return (
    <p>
      {!listsAll && `The newest ${maxListed} are listed. `}
      <a href={`?${other}#recent-heading`}>Show {listsAll ? maxListed : count} targets</a>
    </p>
  )
}

function Summary({ targets, unlisted, read, hasOlder }: RecentPositions) {
  const all = targets.length + unlisted
  return (
    <>
      {all} {all === 1 ? 'target' : 'targets'} in {hasOlder ? 'the newest ' : ''}
      {read.toLocaleString('en')} {read === 1 ? 'position' : 'positions'} of the last hour
      {unlisted > 0 && `; the ${targets.length} that were seen last can be shown`}. The API lists every position.
    </>
  )
}

function TargetRow({ target, nowMs, ...row }: { target: RecentTarget; nowMs: number }) {
  const { id, name, seen, count } = target
  const [latest, ...earlier] = seen
  return (
    <tr {...row}>
      <th scope="row">
        <code>{toVisible(name)}</code>
        {id !== name && (
          <>
            {' '}
            <span class="other-id">{toVisible(id)}</span>
          </>
        )}
      </th>
      <td data-label="Received">
        <Time atMs={Date.parse(latest.receivedTimeStamp)} nowMs={nowMs} />
      </td>
      <td data-label="Position">
        {toCoordinates(latest)}
        {earlier.length > 0 && (
          <details class="earlier">
            <summary>
              {count - 1} earlier<span class="unseen"> of {toVisible(name)}</span>
            </summary>
            <ol>
              {earlier.map((one, index) => (
                // Positions have no unique id: the same one may have been reported twice.
                <li key={index}>
                  <Time atMs={Date.parse(one.receivedTimeStamp)} nowMs={nowMs} /> {toCoordinates(one)},{' '}
                  {toAltitude(one.position)}
                </li>
              ))}
            </ol>
          </details>
        )}
      </td>
      <td class="wraps" data-label="Altitude">
        {toAltitude(latest.position)}
      </td>
      <td data-label="Speed">{toSpeed(latest.position)}</td>
      <td data-label="Tags">
        <Tags seen={latest} />
      </td>
    </tr>
  )
}

function Tags({ seen }: { seen: SeenPosition }) {
  return (
    <>
      {toTags(seen).map(({ tag, meaning }) => (
        <span key={tag} class="tag" title={meaning}>
          {tag}
          <span class="unseen">: {meaning}</span>
        </span>
      ))}
    </>
  )
}

function toCoordinates({ position: { position } }: SeenPosition): string {
  return `${position.lat.toFixed(5)}, ${position.lon.toFixed(5)}`
}
