/**
 * The controls of the map: filters, what it shows, zoom, replay. They work with scripts only, so they are hidden
 * without.
 */

import { altitudeSteps } from '@posrep/air/words'
import { toVisible } from '@posrep/kernel/visible'
import type { AirSensor } from '@posrep/spec'
import type { SensorRecord } from '../../pages/map/feed/sensor-record.ts'
import { Panel } from './panel.tsx'

const kinds = [
  ['aircraft', 'Aircraft'],
  ['drone', 'Drones'],
  ['unknown', 'Unknown'],
] as const

const layers = [
  ['hasTrails', 'Trails'],
  ['hasLabels', 'Labels'],
  ['hasVectors', 'Next minute'],
  ['hasRings', 'Range rings of all sensors'],
  ['hasAreas', 'Areas'],
] as const

export function FilterPanel({ sensors, records }: { sensors: AirSensor[]; records: Record<string, SensorRecord> }) {
  return (
    <div class="air-scripted">
      <Panel id="air-filter" title="Filter">
        <form class="air-form" data-filter>
          <div class="field">
            <label for="air-text">Name or identifier</label>
            <input id="air-text" name="text" type="search" autocomplete="off" maxLength={60} />
          </div>
          <fieldset>
            <legend>Kind</legend>
            {kinds.map(([value, label]) => (
              <label key={value} class="check">
                <input type="checkbox" name="kind" value={value} checked /> {label}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>
              Altitude in <span data-unit>m</span>
            </legend>
            <div class="air-band">
              <label class="help" for="air-floor">
                from
              </label>
              <input id="air-floor" name="floor" type="number" step="any" inputMode="numeric" />
              <label class="help" for="air-ceiling">
                to
              </label>
              <input id="air-ceiling" name="ceiling" type="number" step="any" inputMode="numeric" />
            </div>
          </fieldset>
          <div class="field">
            <label for="air-device">Sensor</label>
            <select id="air-device" name="device">
              <option value="">All</option>
              {sensors.map(({ deviceId }) => (
                <option key={deviceId} value={deviceId}>
                  {toVisible(records[deviceId]?.name ?? deviceId)}
                </option>
              ))}
            </select>
          </div>
          <button type="reset">Show all</button>
        </form>
      </Panel>
    </div>
  )
}

/** @param hasTiles The operator has tiles of their own. */
export function ViewPanel({ hasTiles }: { hasTiles: boolean }) {
  return (
    <div class="air-scripted">
      <Panel id="air-view" title="Map">
        <form class="air-form" data-layers>
          <fieldset>
            <legend>Show</legend>
            {layers.map(([name, label]) => (
              <label key={name} class="check">
                <input type="checkbox" name={name} checked={name !== 'hasRings'} /> {label}
              </label>
            ))}
          </fieldset>
          <fieldset>
            <legend>Units</legend>
            <label class="check">
              <input type="radio" name="units" value="metric" checked /> m, m/s, km
            </label>
            <label class="check">
              <input type="radio" name="units" value="aviation" /> ft, kt, NM
            </label>
          </fieldset>
        </form>
        <ul class="air-signs help">
          <li>
            <Sign state="live" /> Live
          </li>
          <li>
            <Sign state="tentative" /> Tentative: few positions yet
          </li>
          <li>
            <Sign state="coasting" /> Coasting: predicted, no news
          </li>
        </ul>
        {!hasTiles && (
          <p class="help">
            Coast: Natural Earth. Places: GeoNames, CC BY 4.0. Airports: OurAirports. There are no streets, runways and
            small airfields: an operator can put tiles below the targets, with <code>--air-map</code>.
          </p>
        )}
      </Panel>
    </div>
  )
}

function Sign({ state }: { state: 'live' | 'tentative' | 'coasting' }) {
  return (
    <svg class={`air-sign ${state}`} viewBox="-10 -11 20 22" width="16" height="18" aria-hidden="true">
      <path d="M0 -9.5 L6.5 8 L0 4.4 L-6.5 8 Z" />
      {state === 'coasting' && <path d="M-5.5 5.5 L5.5 -5.5" />}
    </svg>
  )
}

const keys: [keys: string[], meaning: string][] = [
  [['←', '→', '↑', '↓'], 'move the map'],
  [['+', '−'], 'zoom, on the selected target if it is in view'],
  [['0'], 'show everything'],
  [['N', 'P'], 'the next and the previous target, from west to east'],
  [['F'], 'follow the selected target'],
  [['Esc'], 'end the selection, wherever the focus is'],
  [['?'], 'these keys'],
]

function Keys() {
  return (
    <dialog id="air-keys" class="dialog" popover="auto" aria-labelledby="air-keys-heading">
      <h2 id="air-keys-heading">Keys, while the map has the focus</h2>
      <dl class="air-keys">
        {keys.map(([names, meaning]) => (
          <div key={meaning}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </dialog>
  )
}

/** Legend, replay and zoom. */
export function MapTools() {
  return (
    <div class="air-tools air-scripted">
      <div class="air-panel air-legend" aria-hidden="true">
        <span class="help" data-legend-title>
          Altitude, m
        </span>
        <div data-legend>
          {altitudeSteps.map((step) => (
            <span key={step} data-step={step} />
          ))}
        </div>
      </div>
      <div class="air-panel air-replay">
        <button type="button" data-play>
          Play 8×
        </button>
        <label class="unseen" for="air-time">
          Time of the replay, in seconds from now
        </label>
        <div class="air-time">
          <input id="air-time" type="range" min="-600" max="0" step="5" value="0" data-slider />
          <span class="help" data-span />
        </div>
        <output for="air-time" data-when>
          Live
        </output>
        <button type="button" data-live disabled>
          Live
        </button>
      </div>
      <div class="air-panel air-zoom">
        <span class="air-scale help" data-scale aria-hidden="true" />
        <button type="button" data-zoom="in" aria-label="Zoom in">
          +
        </button>
        <button type="button" data-zoom="out" aria-label="Zoom out">
          −
        </button>
        <button type="button" data-zoom="fit">
          Fit all
        </button>
        <button type="button" popovertarget="air-keys" aria-label="Keys">
          ?
        </button>
        <Keys />
      </div>
    </div>
  )
}
