/**
 * The page of the air picture: joins the map with its panels. In: the element of the map, and the map. Out: nothing; it
 * runs.
 */

import type { AirMap } from '@posrep/air/map'
import { announceChanges } from './announce.ts'
import { setUpControls } from './controls.ts'
import { find } from './dom.ts'
import { showAlerts } from './panels/alerts.ts'
import { showSelected } from './panels/selected.ts'
import { showSensors } from './panels/sensors.ts'
import { showStatus } from './panels/status.ts'
import { showTable } from './panels/table.ts'
import { setUpReplay } from './replay.ts'

export function showAirPage(root: HTMLElement, map: AirMap): void {
  for (const panel of root.querySelectorAll('.air-panel')) setUpToggle(panel, map)
  setUpControls(root, map)
  setUpReplay(root, map)
  showStatus(root, map)
  showAlerts(root, map)
  showSensors(root, map)
  showTable(root, map)
  showSelected(root, map)
  announceChanges(root, map)
  // Wherever the focus is; the map itself listens while it has the focus.
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return
    if (event.key === 'Escape') map.select(undefined)
    if (event.key === '?' && !isTyping(event.target)) find(root, '#air-keys').togglePopover()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, select, textarea')
}

function setUpToggle(panel: Element, map: AirMap): void {
  const button = panel.querySelector('.air-toggle')
  button?.addEventListener('click', () => {
    const isOpen = panel.toggleAttribute('data-collapsed') === false
    button.setAttribute('aria-expanded', String(isOpen))
    panel.dispatchEvent(new Event('toggled'))
    // Its texts are beside the panels.
    map.redraw()
  })
}
