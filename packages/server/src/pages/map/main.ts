/**
 * The map of the air picture in a page: the element with `data-air-map`, which is `full` on the page of the air picture and `compact`
 * on other pages. In: its other attributes, which say where everything is. Out: a map that is alive.
 */
import { showAirPage } from './page/air-page.ts'
import { readHistory } from './page/history.ts'
import { createSession } from './page/session.ts'
import { showSummary } from './page/summary.ts'

const root = document.querySelector<HTMLElement>('[data-air-map]')
if (root) {
  const session = createSession(root)
  readHistory(session)
  if (root.dataset.airMap === 'full') showAirPage(root, session)
  else showSummary(root, session)
}
