/** Text on the ground of the map, with a halo, so that it is readable on any ground. */
import type { Theme } from './theme.ts'

export function write(
  context: CanvasRenderingContext2D,
  text: string,
  px: number,
  py: number,
  colour: string,
  theme: Theme,
  font: string,
): void {
  context.font = `${font} ${theme.font}`
  context.textAlign = 'center'
  context.lineJoin = 'round'
  context.strokeStyle = theme.halo
  context.lineWidth = 3
  context.strokeText(text, px, py)
  context.fillStyle = colour
  context.fillText(text, px, py)
}
