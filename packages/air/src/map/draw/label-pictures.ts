/**
 * The labels of targets, drawn once for each text and copied from then on; those that were not used for a while are
 * forgotten.
 */
import type { Theme } from './theme.ts'

export interface LabelPicture {
  image: ImageBitmap
  /** On the page, in pixels. */
  width: number
  height: number
}

export type Emphasis = 'plain' | 'chosen' | 'alert'

export interface LabelPictures {
  find(first: string, second: string, emphasis: Emphasis): LabelPicture
  /** Approximate size, before the picture is drawn. */
  measure(first: string, second: string): number
}

export const labelHeight = 29
const maxPictures = 600
const fontSize = 12
const padding = 3

export function createLabelPictures(theme: Theme, ratio: number): LabelPictures {
  const pictures = new Map<string, LabelPicture>()
  const widths = new Map<string, number>()
  const ruler = document.createElement('canvas').getContext('2d')
  if (!ruler) throw new Error('This browser has no canvas')
  const fonts = { first: `600 ${fontSize}px ${theme.font}`, second: `${fontSize - 1}px ${theme.font}` }

  function widthOf(text: string, font: string): number {
    const key = `${font}${text}`
    const known = widths.get(key)
    if (known !== undefined) return known
    if (!ruler) return 0
    ruler.font = font
    const { width } = ruler.measureText(text)
    if (widths.size > 5_000) widths.clear()
    widths.set(key, width)
    return width
  }

  const measure = (first: string, second: string) =>
    Math.ceil(Math.max(widthOf(first, fonts.first), widthOf(second, fonts.second)) + 2 * padding)

  function paint(first: string, second: string, emphasis: Emphasis): LabelPicture {
    const width = measure(first, second)
    const canvas = new OffscreenCanvas(Math.ceil(width * ratio), Math.ceil(labelHeight * ratio))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no canvas')
    context.scale(ratio, ratio)
    context.lineJoin = 'round'
    if (emphasis !== 'plain') {
      context.fillStyle = theme.halo
      context.strokeStyle = emphasis === 'alert' ? theme.alert : theme.accent
      context.beginPath()
      context.roundRect(0.5, 0.5, width - 1, labelHeight - 1, 4)
      context.fill()
      context.stroke()
    }
    context.strokeStyle = theme.halo
    context.lineWidth = 3
    for (const [text, font, y, colour] of [
      [first, fonts.first, 12.5, theme.text],
      [second, fonts.second, 25, theme.textQuiet],
    ] as const) {
      context.font = font
      if (emphasis === 'plain') context.strokeText(text, padding, y)
      context.fillStyle = colour
      context.fillText(text, padding, y)
    }
    return { image: canvas.transferToImageBitmap(), width, height: labelHeight }
  }

  return {
    measure,
    find(first, second, emphasis) {
      const key = `${emphasis}\n${first}\n${second}`
      const known = pictures.get(key)
      if (known) {
        // The map keeps its keys in the order of use.
        pictures.delete(key)
        pictures.set(key, known)
        return known
      }
      const picture = paint(first, second, emphasis)
      pictures.set(key, picture)
      if (pictures.size > maxPictures) {
        const [oldest] = pictures.keys()
        if (oldest !== undefined) {
          pictures.get(oldest)?.image.close()
          pictures.delete(oldest)
        }
      }
      return picture
    },
  }
}
