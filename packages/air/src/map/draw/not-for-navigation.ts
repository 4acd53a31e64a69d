/** The text that every map of the picture has, at the lower left of the part that panels leave free. */
import type { Box } from '../model/labels/box.ts'
import { write } from './text.ts'
import type { Theme } from './theme.ts'

const text = 'Not for navigation'
const size = { width: 112, height: 16 }

/** For the layout of labels. */
export function noticeBox([left, , , bottom]: Box): Box {
  return [left, bottom - size.height, left + size.width, bottom]
}

export function drawNotice(context: CanvasRenderingContext2D, [left, top, right, bottom]: Box, theme: Theme): void {
  write(context, text, (left + right) / 2, (top + bottom) / 2 + 4, theme.text, theme, '11px')
}
