/** The small map on other pages: how many targets there are, and the figures of the selected one. */

import type { AirMap } from '@posrep/air/map'
import { trackIdsOf } from '@posrep/air/map'
import { toAltitudeText, toCountText, toLostText, toSpeedText } from '@posrep/air/words'
import type { AirAlert } from '@posrep/spec'
import { announceChanges } from './announce.ts'
import { find, setText } from './dom.ts'

export function showSummary(root: HTMLElement, map: AirMap): void {
  const summary = find(root, '[data-summary]')
  const { picture, choices } = map
  announceChanges(root, map)

  /** Of a target that is shown, or of the device whose targets are shown. */
  function isShown(alert: AirAlert): boolean {
    const { device } = map.filter
    if (device === undefined || alert.silentSensor?.deviceId === device) return true
    return trackIdsOf(alert).some((id) => picture.find(id)?.isWanted)
  }

  function show(): void {
    const shown = picture.wanted().length
    const selected = choices.selectedId === undefined ? undefined : picture.find(choices.selectedId)
    const alerts = picture.alerts.filter((alert) => alert.state === 'active' && isShown(alert)).length
    const alerted = alerts > 0 ? `, ${alerts} active ${alerts === 1 ? 'alert' : 'alerts'}` : ''
    const chosen = selected
      ? `. ${selected.name}: ${toAltitudeText(selected.altitude, 'metric')}, ${toSpeedText(Math.hypot(selected.east, selected.north), 'metric')}`
      : ''
    if (map.link === 'lost') setText(summary, toLostText(picture.timeMs))
    else if (Number.isNaN(picture.timeMs)) setText(summary, 'Waiting for the picture.')
    else setText(summary, `${shown === 0 ? 'No targets now' : toCountText(shown)}${alerted}${chosen}.`)
  }
  for (const event of ['frame', 'link', 'selected'] as const) map.on(event, show)
}
