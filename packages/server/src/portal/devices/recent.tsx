/** The recent reports of a device, as a table and as a drawing of tracks. */
import { Time } from '../../pages/time.tsx'
import { type Position, type RecentPositions, toTargetName } from './recent-positions.ts'
import { TrackDrawing } from './track.tsx'

export interface RecentProps {
  recent: RecentPositions
  stores: boolean
  nowMs: number
  /** The chosen target: the table shows its rows only, the drawing highlights its track. */
  target?: string | undefined
}

export function Recent({ recent, stores, nowMs, target }: RecentProps) {
  const { rows, matching, read, hasOlder } = recent
  return (
    <section class="panel part" aria-labelledby="recent-heading" id="recent" data-live>
      <h2 id="recent-heading">Recent reports</h2>
      {read === 0 ? (
        <p class="quiet">
          {stores
            ? 'No reports in the last hour. New reports appear here.'
            : 'Reports are not stored. Switch storage on to see them here. Forwarding to the relay does not depend on it.'}
        </p>
      ) : (
        <div class="beside">
          <div class="scroll stacks">
            {target !== undefined && (
              <p>
                Only <code>{target}</code>
                {rows.length === 0 && ', which has no recent reports'} · <a href="?#recent">Show all targets</a>
              </p>
            )}
            <table>
              <thead>
                <tr>
                  <th scope="col">Target</th>
                  <th scope="col">Received</th>
                  <th scope="col">Position</th>
                  <th scope="col">Altitude</th>
                  <th scope="col">Speed</th>
                  <th scope="col">Tags</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ receivedTimeStamp, position, tags }, row) => (
                  // Positions have no unique id: the same one may have been reported twice.
                  <tr key={row}>
                    <th scope="row">
                      <a href={`?target=${encodeURIComponent(toTargetName(position).toWellFormed())}#recent`}>
                        <code>{toTargetName(position)}</code>
                      </a>
                    </th>
                    <td data-label="Received">
                      <Time atMs={Date.parse(receivedTimeStamp)} nowMs={nowMs} />
                    </td>
                    <td data-label="Position">
                      {position.position.lat.toFixed(5)}, {position.position.lon.toFixed(5)}
                    </td>
                    <td data-label="Altitude">{toAltitude(position)}</td>
                    <td data-label="Speed">{toSpeed(position)}</td>
                    <td data-label="Tags">{tags.join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            {(matching > rows.length || hasOlder) && (
              <p class="help">
                The newest {rows.length} of {hasOlder ? 'more than ' : ''}
                {matching} positions. The API has the rest.
              </p>
            )}
          </div>
          <TrackDrawing {...recent} chosen={target} />
        </div>
      )}
    </section>
  )
}

function toAltitude({ altitudes, onGround }: Position): string {
  const [first] = altitudes ?? []
  if (first) return `${Math.round(first.height)} m ${first.datum}`
  return onGround ? 'on the ground' : '–'
}

function toSpeed({ groundVelocity: { x, y } = {} }: Position): string {
  return x === undefined || y === undefined ? '–' : `${Math.round(Math.hypot(x, y))} m/s`
}
