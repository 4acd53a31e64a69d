/** The page of the air picture: joins the map with its panels. In: the element of the map, a session. Out: nothing; it runs. */

import { announceChanges } from './announce.ts'
import { setUpControls } from './controls.ts'
import { setUpKeys } from './keys.ts'
import { showAlerts } from './panels/alerts.ts'
import { showSelected } from './panels/selected.ts'
import { showSensors } from './panels/sensors.ts'
import { showStatus } from './panels/status.ts'
import { showTable } from './panels/table.ts'
import { setUpReplay } from './replay.ts'
import type { Session } from './session.ts'

export function showAirPage(root: HTMLElement, session: Session): void {
  for (const panel of root.querySelectorAll('.air-panel')) setUpToggle(panel, session)
  setUpKeys(root, session)
  setUpControls(root, session)
  setUpReplay(root, session)
  showStatus(root, session)
  showAlerts(root, session)
  showSensors(root, session)
  showTable(root, session)
  showSelected(root, session)
  announceChanges(root, session)
}

function setUpToggle(panel: Element, { map }: Session): void {
  const button = panel.querySelector('.air-toggle')
  button?.addEventListener('click', () => {
    const isOpen = panel.toggleAttribute('data-collapsed') === false
    button.setAttribute('aria-expanded', String(isOpen))
    panel.dispatchEvent(new Event('toggled'))
    // Its texts are beside the panels.
    map.redraw()
  })
}
