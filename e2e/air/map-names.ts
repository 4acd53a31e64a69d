/**
 * The names of places, the texts on the ground, and the labels of targets on the canvas of a map.
 * In: a page, before it is opened. Out: how many of each its latest frame has, and those that a label covers.
 */
import type { Page } from 'playwright-core'

interface Box {
  text: string
  left: number
  top: number
  right: number
  bottom: number
}

interface NamesAndLabels {
  names: Box[]
  labels: Box[]
}

/** What labels may cover: `places`, which give way to them; `ground`: areas and sensors, which stay. */
type Layer = 'places' | 'ground'

/** By the canvas that the names are drawn on, and by the time of the frame. */
type Recorded = Window & {
  names?: WeakMap<HTMLCanvasElement, Box[]>
  layers?: Partial<Record<Layer, HTMLCanvasElement>>
  labels?: { atMs: number; boxes: Box[] }
}

const labelHeight = 29

export async function recordNames(page: Page): Promise<void> {
  await page.addInitScript((height) => {
    const recorded: Recorded = window
    const names = new WeakMap<HTMLCanvasElement, Box[]>()
    const layers: Recorded['layers'] = {}
    Object.assign(recorded, { names, layers })
    const { fillText, clearRect, drawImage } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      names.delete(this.canvas)
      clearRect.apply(this, box)
    }
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, maxWidth) {
      fillText.call(this, text, x, y, maxWidth)
      const { width, height: canvasHeight } = this.canvas
      const map = document.querySelector('canvas')
      // Not the picture of a label.
      if (!map || this.canvas.isConnected || width < map.width) return
      // Only the layer of the names is moved, so that it has the coordinates of the map.
      const isGround = this.getTransform().e === 0
      layers[isGround ? 'ground' : 'places'] = this.canvas
      const [dx, dy] = isGround ? [(width - map.width) / 2, (canvasHeight - map.height) / 2] : [0, 0]
      const half = this.measureText(text).width / 2
      const box = { text, left: x - half - dx, top: y - 9 - dy, right: x + half - dx, bottom: y + 3 - dy }
      names.set(this.canvas, [...(names.get(this.canvas) ?? []), box])
    }
    CanvasRenderingContext2D.prototype.drawImage = function (this: CanvasRenderingContext2D, ...drawn: unknown[]) {
      Reflect.apply(drawImage, this, drawn)
      const [, left = 0, top = 0, width = 0, drawnHeight] = drawn as number[]
      if (!this.canvas.isConnected || drawnHeight !== height) return
      // The time of the document's timeline is that of the frame.
      const atMs = Number(document.timeline.currentTime)
      const before = recorded.labels?.atMs === atMs ? recorded.labels.boxes : []
      recorded.labels = { atMs, boxes: [...before, { text: '', left, top, right: left + width, bottom: top + height }] }
    } as typeof drawImage
  }, labelHeight)
}

export async function findCoveredNames(
  page: Page,
  of: Layer = 'places',
): Promise<{ names: number; labels: number; covered: string[] }> {
  const { names, labels } = await page.evaluate(async (of): Promise<NamesAndLabels> => {
    const recorded: Recorded = window
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    const layer = recorded.layers?.[of]
    return { names: (layer && recorded.names?.get(layer)) ?? [], labels: recorded.labels?.boxes ?? [] }
  }, of)
  const isUnder = (name: Box) =>
    labels.some(
      ({ left, top, right, bottom }) =>
        name.left < right && left < name.right && name.top < bottom && top < name.bottom,
    )
  return { names: names.length, labels: labels.length, covered: names.filter(isUnder).map(({ text }) => text) }
}
