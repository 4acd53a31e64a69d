/**
 * The health of the sensors: state, when one was seen last, rate, lag, what is wrong with its clock and positions, and
 * the last report that was refused.
 */

import type { AirMap } from '@posrep/air/map'
import type { AirSensor } from '@posrep/spec'
import type { SensorRecord } from '../../feed/sensor-record.ts'
import { fetchVisible } from '../../feed/visible-json.ts'
import { badge, find, make, setText, time } from '../dom.ts'
import { toSensorDoubts } from './doubts.ts'
import { showEntries } from './list.ts'

const readEveryMs = 60_000
/** A refusal that is older is history. */
const recentMs = 3_600_000

export function showSensors(root: HTMLElement, map: AirMap): void {
  const list = find(root, '[data-sensors]')
  const none = find(root, '[data-no-sensors]')
  const counter = find(root, '[data-count="air-sensors"]')
  const select = find<HTMLSelectElement>(root, '#air-device')
  const { picture, choices } = map
  let records: Record<string, SensorRecord> = {}

  function show(): void {
    const sensors = [...picture.sensors.values()].sort((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
    const silent = sensors.filter(({ state }) => state === 'silent').length
    setText(counter, silent > 0 ? `${sensors.length}, ${silent} silent` : String(sensors.length))
    none.hidden = sensors.length > 0
    offer(sensors)
    showEntries(
      list,
      sensors.map((sensor) => {
        const version = JSON.stringify([sensor, records[sensor.deviceId], choices.units])
        return { key: sensor.deviceId, version, toItem: () => toItem(sensor) }
      }),
    )
  }

  function toItem(sensor: AirSensor): HTMLElement {
    const { deviceId, state, lastSeen, positionsPerMinute, lagSeconds, position } = sensor
    const record = records[deviceId]
    const isLive = state === 'live'
    const refused = record?.refused
    const isRecent = refused && map.nowMs() - Date.parse(refused.at) < recentMs
    return make(
      'li',
      {},
      make(
        'p',
        { class: 'split' },
        make('a', { href: `/devices/${encodeURIComponent(deviceId)}` }, record?.name ?? deviceId),
        badge(isLive ? 'good' : 'bad', isLive ? 'Live' : 'Silent'),
      ),
      make(
        'dl',
        { class: 'air-figures' },
        ...figure('Seen', time(Date.parse(lastSeen))),
        ...figure('Rate', `${Math.round(positionsPerMinute).toLocaleString('en')} in 1 min`),
        ...figure('Lag', lagSeconds === undefined ? '–' : `${lagSeconds.toFixed(1)} s`),
        ...figure('Refused', refused ? time(Date.parse(refused.at)) : 'none'),
      ),
      ...toSensorDoubts(sensor, choices.units).map((doubt) => make('p', { class: 'doubt' }, doubt)),
      isRecent ? make('p', { class: 'wrong' }, `Refused with ${refused.status}: ${refused.detail}`) : undefined,
      position
        ? undefined
        : make('p', { class: 'help' }, 'It does not report its position, so that it has no range rings.'),
    )
  }

  /** New sensors can be chosen in the filter. */
  function offer(sensors: AirSensor[]): void {
    for (const { deviceId } of sensors) {
      if ([...select.options].some(({ value }) => value === deviceId)) continue
      select.append(make('option', { value: deviceId }, records[deviceId]?.name ?? deviceId))
    }
  }

  async function update(): Promise<void> {
    if (document.hidden) return
    const read = await fetchVisible<Record<string, SensorRecord>>('/air/sensors')
    if (!read) return
    records = read
    for (const option of select.options) {
      const record = records[option.value]
      if (record) setText(option, record.name)
    }
    show()
  }

  map.on('frame', show)
  void update()
  setInterval(update, readEveryMs)
}

function figure(name: string, value: Node | string): [HTMLElement, HTMLElement] {
  return [make('dt', {}, name), make('dd', {}, value)]
}
