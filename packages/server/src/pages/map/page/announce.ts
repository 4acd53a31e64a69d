/** Says to screen readers what a key, a click or a filter has changed on the map, which they do not see. */

import type { AirMap } from '@posrep/air/map'
import { toAltitudeText, toCountText, toSpeedText, toTrackText } from '@posrep/air/words'
import { find, setText } from './dom.ts'

/** While somebody types, only the last result is said. */
const pauseMs = 600

export function announceChanges(root: HTMLElement, map: AirMap): void {
  const region = find(root, '[data-said]')
  const { picture, choices } = map
  let timer = 0

  function say(text: string): void {
    clearTimeout(timer)
    timer = setTimeout(() => setText(region, text), pauseMs)
  }

  map.on('selected', () => {
    const target = choices.selectedId === undefined ? undefined : picture.find(choices.selectedId)
    if (!target) return say('No target is selected')
    const { name, onGround, shownAltitude, shownEast, shownNorth } = target
    const altitude = onGround ? 'on the ground' : toAltitudeText(shownAltitude, choices.units, target.datum)
    const speed = toSpeedText(Math.hypot(shownEast, shownNorth), choices.units)
    say(`${name}: ${altitude}, ${speed}, track ${toTrackText(shownEast, shownNorth)}`)
  })
  map.on('filtered', () => {
    if (Number.isNaN(picture.timeMs)) return
    const { all, wanted } = map.targets()
    say(`${wanted.length} of ${toCountText(all.length)} are shown`)
  })
}
