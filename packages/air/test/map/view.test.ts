import { expect, test } from 'vitest'
import { type View, zoomOn } from '../../src/map/model/view.ts'

const view: View = { x: 0.5, y: 0.4, scale: 4_000, width: 1_000, height: 600 }
/** Where on the screen is now what was at this pixel before. */
function placeOf({ px, py }: { px: number; py: number }, next: View) {
  const [x, y] = [view.x + (px - view.width / 2) / view.scale, view.y + (py - view.height / 2) / view.scale]
  return {
    px: Math.round((x - next.x) * next.scale + next.width / 2),
    py: Math.round((y - next.y) * next.scale + next.height / 2),
  }
}

test('zooming keeps the selected target where it is, so that it does not leave the map', () => {
  const selected = { px: 700, py: 200 }
  expect(placeOf(selected, zoomOn(view, 8, selected))).toEqual(selected)
})

test.each([undefined, { px: 1_200, py: 200 }])(
  'zooming without a selected target in view keeps the middle',
  (selected) => {
    const middle = { px: 500, py: 300 }
    expect(placeOf(middle, zoomOn(view, 8, selected))).toEqual(middle)
  },
)
