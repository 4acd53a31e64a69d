/** The same in a browser, on the map. In: the element of the page. Out: a map that goes on, a second each second. */
import { createTracker } from '@posrep/air'
import land from '@posrep/air/land/land-110m.bin?url'
import { type FollowOptions, mountAirMap } from '@posrep/air/map'
import { hear, timeAt } from './traffic.ts'

const element = document.getElementById('map')
if (!element) throw new Error('The page has no #map')
const map = mountAirMap(element, { follow, land: { '110m': land } })
const show = () => {
  const active = map.picture.alerts.filter(({ state }) => state === 'active')
  document
    .getElementById('status')
    ?.replaceChildren([...map.targets().all.map(({ name }) => name), ...active.map(({ text }) => text)].join(', '))
}
map.on('frame', show)
document.getElementById('stop')?.addEventListener('click', map.stop)

async function* follow({ signal }: FollowOptions) {
  const tracker = createTracker()
  yield tracker.whole()
  for (let second = 0; !signal.aborted; second++) {
    for (const { report, receivedAtMs } of hear(second)) tracker.add(report, receivedAtMs)
    tracker.advance(timeAt(second + 1))
    const changes = tracker.takeChanges()
    if (changes) yield changes
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}
