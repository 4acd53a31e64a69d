/** The map of the air picture in a page: `full` on the page of the air picture, `compact` on other pages. */
import { showAirPage } from './page/air-page.ts'
import { mountMap } from './page/mount-map.ts'
import { showSummary } from './page/summary.ts'

const root = document.querySelector<HTMLElement>('[data-air-map]')
if (root) {
  const map = mountMap(root)
  if (root.dataset.airMap === 'full') showAirPage(root, map)
  else showSummary(root, map)
}
