/**
 * The operator's own raster tiles, below everything else.
 * In: the template of their address, with {z}, {x} and {y}. Out: a function that draws those that have arrived; the
 * others are requested, and the map is told when one arrives. Meanwhile, and where the server has no closer tile, a
 * part of a wider one is drawn.
 */
import type { View } from '../../model/view.ts'

export interface Tiles {
  draw(context: CanvasRenderingContext2D, view: View): void
}

const size = 256
/** More than a screen of 3,840 × 2,160 pixels shows with its margin; fewer would be requested again in each drawing. */
const maxTiles = 1_000
/** After this, a tile that failed is requested again when it is drawn. */
const failedMs = 10_000
const maxZoom = 19
/** How many levels a wider tile may be above. */
const maxAbove = 6

export function createTiles(template: string, onArrival: () => void): Tiles {
  /** In the order of their use. */
  const images = new Map<string, HTMLImageElement>()

  const toAddress = (z: number, x: number, y: number) =>
    template.replace('{z}', String(z)).replace('{x}', String(x)).replace('{y}', String(y))

  function request(address: string): HTMLImageElement {
    const known = images.get(address)
    const image = known ?? new Image()
    images.delete(address)
    images.set(address, image)
    if (known) return image
    image.addEventListener('load', onArrival)
    image.addEventListener('error', () => {
      onArrival()
      setTimeout(() => images.get(address) === image && images.delete(address), failedMs)
    })
    // Public servers of tiles refuse requests that do not say from where they come.
    image.referrerPolicy = 'origin'
    image.src = address
    const [oldest] = images.keys()
    if (images.size > maxTiles && oldest !== undefined) images.delete(oldest)
    return image
  }

  /** @param left The pixel of its corner. */
  function drawTile(
    context: CanvasRenderingContext2D,
    [z, x, y]: [number, number, number],
    left: number,
    top: number,
    pixels: number,
  ): void {
    let hasFailed = true
    for (let above = 0; above <= Math.min(z, maxAbove); above++) {
      const [column, row] = [x >> above, y >> above]
      const address = toAddress(z - above, column, row)
      // A wider tile is requested only if there is no closer one.
      const image: HTMLImageElement | undefined = hasFailed ? request(address) : images.get(address)
      if (image?.complete && image.naturalWidth > 0) {
        const part = image.naturalWidth / 2 ** above
        const [partX, partY] = [(x - (column << above)) * part, (y - (row << above)) * part]
        context.drawImage(image, partX, partY, part, part, left, top, pixels + 0.5, pixels + 0.5)
        return
      }
      hasFailed &&= image?.complete === true
    }
  }

  return {
    draw(context, view) {
      const z = Math.max(0, Math.min(maxZoom, Math.round(Math.log2(view.scale / size))))
      const count = 2 ** z
      const pixels = view.scale / count
      const left = view.width / 2 - view.x * view.scale
      const top = view.height / 2 - view.y * view.scale
      for (let x = Math.floor(-left / pixels); left + x * pixels < view.width; x++) {
        for (let y = Math.max(0, Math.floor(-top / pixels)); y < count && top + y * pixels < view.height; y++) {
          const column = ((x % count) + count) % count
          drawTile(context, [z, column, y], left + x * pixels, top + y * pixels, pixels)
        }
      }
    },
  }
}
