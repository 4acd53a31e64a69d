/** The line that says how long a distance is. In: a view. Out: the length of the line, and its distance as text. */
import { roundUp } from './steps.ts'
import { metresPerPixel, type View } from './view.ts'
import { toDistanceText, type Units } from './words.ts'

const leastPixels = 60

export function toScaleBar(view: View, units: Units): { pixels: number; text: string } {
  const unit = units === 'metric' ? 1 : 1_852
  const perPixel = metresPerPixel(view)
  const metres = roundUp((perPixel * leastPixels) / unit) * unit
  return { pixels: Math.round(metres / perPixel), text: toDistanceText(metres, units) }
}
