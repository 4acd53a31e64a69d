/**
 * A picture that is drawn now and then, larger than the map by a margin, and shown in each frame: moved and scaled to
 * where the map is meanwhile.
 */
import { nearestX, type View } from '../model/view.ts'

export interface Layer {
  canvas: HTMLCanvasElement
  context: CanvasRenderingContext2D
  /** The view that it was drawn for, with its margin. */
  view: View
}

/** Of the size of the map, at each edge. */
const margin = 0.15

export function createLayer(isOpaque: boolean): Layer {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d', { alpha: !isOpaque })
  if (!context) throw new Error('This browser has no canvas')
  return { canvas, context, view: { x: 0.5, y: 0.5, scale: 1, width: 0, height: 0 } }
}

/** Prepares the layer to be drawn for this view, and empties it. */
export function begin(layer: Layer, view: View, ratio: number): void {
  const width = Math.round(view.width * (1 + 2 * margin))
  const height = Math.round(view.height * (1 + 2 * margin))
  const { canvas, context } = layer
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  layer.view = { ...view, width, height }
}

export function show(context: CanvasRenderingContext2D, layer: Layer, view: View): void {
  const { view: drawn, canvas } = layer
  if (drawn.width === 0) return
  const factor = view.scale / drawn.scale
  const [width, height] = [drawn.width * factor, drawn.height * factor]
  const px = (nearestX(drawn.x, view.x) - view.x) * view.scale + view.width / 2 - width / 2
  const py = (drawn.y - view.y) * view.scale + view.height / 2 - height / 2
  // While the map is zoomed, until the layer is drawn again: quick instead of smooth.
  context.imageSmoothingEnabled = factor === 1
  if (factor === 1) context.drawImage(canvas, Math.round(px), Math.round(py), width, height)
  else context.drawImage(canvas, px, py, width, height)
  context.imageSmoothingEnabled = true
}

/** Whether the layer, moved and a little scaled, has everything that this view shows. */
export function covers({ view: drawn }: Layer, view: View): boolean {
  const factor = view.scale / drawn.scale
  if (factor < 0.85 || factor > 1.3) return false
  const dx = Math.abs(nearestX(drawn.x, view.x) - view.x) * view.scale
  const dy = Math.abs(drawn.y - view.y) * view.scale
  return dx + view.width / 2 <= (drawn.width * factor) / 2 && dy + view.height / 2 <= (drawn.height * factor) / 2
}

/** Whether the layer shows exactly this view. */
export function isFor({ view }: Layer, other: View): boolean {
  return (
    view.x === other.x &&
    view.y === other.y &&
    view.scale === other.scale &&
    view.width === Math.round(other.width * (1 + 2 * margin)) &&
    view.height === Math.round(other.height * (1 + 2 * margin))
  )
}
