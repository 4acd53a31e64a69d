/**
 * The panel of the selected target: what it is, where, how fast, what of it is not sure, who reports it, and why their
 * positions belong together.
 * In: the selection. Out: the panel; figures change with each frame, the rest is read again every few seconds.
 */

import type { AirMap } from '@posrep/air/map'
import { findPosition, type Target } from '@posrep/air/map'
import {
  datums,
  kindWords,
  stateWords,
  toAgeText,
  toAltitudeText,
  toClimbText,
  toPositionsText,
  toPositionText,
  toShortDevice,
  toSpeedText,
  toTrackText,
} from '@posrep/air/words'
import type { AirAltitude, AirTrackDetail } from '@posrep/spec'
import { isInUse } from '../../../browser/hold.js'
import { fetchVisible } from '../../feed/visible-json.ts'
import { badge, find, make, setText, time } from '../dom.ts'
import { toTrackDoubts } from './doubts.ts'

const readEveryMs = 5_000
const maxAssociations = 12
const tones = { live: 'good', tentative: 'quiet', coasting: 'busy' } as const

export function showSelected(root: HTMLElement, map: AirMap): void {
  const panel = find(root, '[data-selected]')
  const { picture, choices } = map
  let shownId: string | undefined
  let readAt = -Infinity
  const parts = {
    name: make('h2'),
    state: make('p'),
    figures: make('dl', { class: 'air-figures' }),
    more: make('div', { class: 'part' }),
    follow: make('button', { type: 'button' }, 'Follow'),
    close: make('button', { type: 'button' }, 'Close'),
  }
  parts.follow.addEventListener('click', () => map.follow(!map.isFollowing))
  parts.close.addEventListener('click', () => {
    map.select(undefined)
    map.focus()
  })
  panel.append(
    make('div', { class: 'split' }, parts.name, parts.state),
    parts.figures,
    make('div', { class: 'buttons' }, parts.follow, parts.close),
    parts.more,
  )

  function show(): void {
    const { selectedId } = choices
    panel.hidden = selectedId === undefined
    setText(parts.follow, map.isFollowing ? 'Stop following' : 'Follow')
    if (selectedId === undefined) {
      shownId = undefined
      return
    }
    if (selectedId !== shownId) {
      shownId = selectedId
      readAt = -Infinity
      parts.more.replaceChildren()
    }
    const target = picture.find(selectedId)
    setText(parts.name, target?.name ?? selectedId)
    if (target) showFigures(target)
    if (!target || target.hasEnded) {
      parts.state.replaceChildren(badge('quiet', 'Ended'))
      parts.more.replaceChildren(make('p', { class: 'help' }, 'No sensor reports this target any more.'))
      return
    }
    parts.state.replaceChildren(badge(tones[target.state], stateWords[target.state]))
    if (performance.now() - readAt > readEveryMs) void read(selectedId)
  }

  function showFigures(target: Target): void {
    const { units, replayMs } = choices
    const { shownEast, shownNorth, shownUp, shownAltitude, accuracy } = target
    const exact = replayMs !== undefined || Number.isNaN(accuracy) ? '' : ` ± ${Math.round(accuracy)} m`
    const figures: [string, string][] = [
      ['Altitude', target.onGround ? 'on the ground' : toAltitudeText(shownAltitude, units, target.datum)],
      ['Speed', toSpeedText(Math.hypot(shownEast, shownNorth), units)],
      ['Track', toTrackText(shownEast, shownNorth)],
      ['Vertical', toClimbText(shownUp, units)],
      ['Kind', kindWords[target.kind]],
      ['Seen', toAgeText(map.nowMs() - target.receivedAtMs)],
      ['Position', `${toPositionText(...findPosition(target, replayMs !== undefined))}${exact}`],
    ]
    const { children } = parts.figures
    if (children.length !== figures.length * 2) {
      parts.figures.replaceChildren(...figures.flatMap(([name]) => [make('dt', {}, name), make('dd')]))
    }
    for (const [index, [, value]] of figures.entries()) {
      const shown = children[index * 2 + 1]
      if (shown) setText(shown, value)
    }
  }

  async function read(id: string): Promise<void> {
    readAt = performance.now()
    const read = await fetchVisible<AirTrackDetail>(`/air/tracks/${encodeURIComponent(id)}`)
    if (!read || id !== choices.selectedId) return
    map.addHistory(read)
    if (!isInUse(parts.more)) showMore(read)
  }

  function showMore({ track, associations, history }: AirTrackDetail): void {
    const { units } = choices
    parts.more.replaceChildren(
      section(
        'Not sure',
        ...toTrackDoubts(track, picture.alerts, units).map((doubt) => make('li', { class: 'doubt' }, doubt)),
      ),
      section(
        'Identifiers',
        ...track.identifiers.map(({ id, type }) =>
          make('li', {}, make('code', {}, id), type === undefined ? '' : ` ${type}`),
        ),
      ),
      section('Altitudes', ...track.altitudes.map((altitude) => make('li', {}, toAltitudeWords(altitude, units)))),
      section(
        'Sources',
        ...track.sensors.map(({ deviceId, positions, lastSeen, sourceId }) =>
          make(
            'li',
            {},
            make('a', { href: `/devices/${encodeURIComponent(deviceId)}` }, toShortDevice(deviceId)),
            sourceId === undefined ? '' : ` as ${sourceId}`,
            ` · ${toPositionsText(positions)} · `,
            time(Date.parse(lastSeen)),
          ),
        ),
      ),
      section(
        'Why these belong together',
        ...associations
          .slice(0, maxAssociations)
          .map(({ text, deviceId, time: at }) =>
            make(
              'li',
              {},
              text,
              make('span', { class: 'help' }, ` ${toShortDevice(deviceId)}, `, time(Date.parse(at))),
            ),
          ),
      ),
      make(
        'p',
        { class: 'help' },
        `${toPositionsText(track.positions)}, ${history.length} in its trail. Track `,
        make('code', {}, track.id),
        '.',
      ),
    )
    document.dispatchEvent(new Event('live'))
  }

  for (const event of ['frame', 'selected', 'followed', 'replay'] as const) map.on(event, show)
}

/** In words: where it comes from and how exact it is. */
function toAltitudeWords(
  { height, datum, accuracy, provenance, from }: AirAltitude,
  units: 'metric' | 'aviation',
): string {
  const exact = accuracy === undefined ? '' : ` ± ${toAltitudeText(accuracy, units)}`
  const origin = provenance === 'given' ? 'given by the sensor' : `derived${from === undefined ? '' : ` from ${from}`}`
  return `${toAltitudeText(height, units, datum)}${exact} ${datums[datum].long}, ${origin}`
}

function section(title: string, ...items: HTMLElement[]): HTMLElement | string {
  return items.length === 0 ? '' : make('div', {}, make('h3', {}, title), make('ul', { class: 'air-facts' }, ...items))
}
