/**
 * What is written on the canvas of a map. In: a page, before it is opened. Out: for each text of the latest frame,
 * whether all of it can be seen: `free`, `cut` by the edge of the map, or `covered` by something above the map.
 */
import type { Page } from 'playwright-core'

export type Where = 'free' | 'cut' | 'covered'

interface Written {
  text: string
  /** Of the frame. */
  atMs: number
  left: number
  top: number
  right: number
  bottom: number
}

type Recorded = Window & { written?: Written[] }

export async function recordTexts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const recorded: Recorded = window
    const { fillText } = CanvasRenderingContext2D.prototype
    CanvasRenderingContext2D.prototype.fillText = function (text, x, y, maxWidth) {
      fillText.call(this, text, x, y, maxWidth)
      if (!this.canvas.isConnected) return
      const half = Math.min(this.measureText(text).width, maxWidth ?? Number.POSITIVE_INFINITY) / 2
      // The time of the document's timeline is that of the frame.
      const atMs = Number(document.timeline.currentTime)
      const before = recorded.written?.filter((one) => one.atMs === atMs) ?? []
      recorded.written = [...before, { text, atMs, left: x - half, top: y - 9, right: x + half, bottom: y + 3 }]
    }
  })
}

/** Waits for another frame first. */
export function whereTextsAre(page: Page, pattern: RegExp): Promise<Where[]> {
  return page.evaluate(async (source) => {
    const recorded: Recorded = window
    for (let frame = 0; frame < 3; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
    const canvas = document.querySelector('canvas')
    if (!canvas) return []
    const map = canvas.getBoundingClientRect()
    const texts = (recorded.written ?? []).filter(({ text }) => new RegExp(source).test(text))
    return texts.map(({ left, top, right, bottom }) => {
      if (left < 0 || top < 0 || right > map.width || bottom > map.height) return 'cut'
      const corners = [left, right].flatMap((x) => [top, bottom].map((y) => [x, y] as const))
      const isFree = corners.every(([x, y]) => document.elementFromPoint(map.left + x, map.top + y) === canvas)
      return isFree ? 'free' : 'covered'
    })
  }, pattern.source)
}
