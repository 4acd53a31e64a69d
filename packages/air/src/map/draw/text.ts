/** Text on the ground of the map, with a halo, so that it is readable on any ground. */
import type { Theme } from './theme.ts'

/** Returns the width of the text, in pixels. */
export function write(
  context: CanvasRenderingContext2D,
  text: string,
  px: number,
  py: number,
  colour: string,
  theme: Theme,
  font: string,
): number {
  context.font = `${font} ${theme.font}`
  context.textAlign = 'center'
  context.lineJoin = 'round'
  context.strokeStyle = theme.halo
  context.lineWidth = 3
  context.strokeText(text, px, py)
  context.fillStyle = colour
  context.fillText(text, px, py)
  return context.measureText(text).width
}
