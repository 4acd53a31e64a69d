/**
 * The symbols of targets, each drawn once and copied from then on.
 * An aircraft is an arrow, a drone a diamond, what is unknown a circle. A live target is filled; a tentative one is an
 * outline; a coasting one is an outline that is crossed out. On the ground it is smaller.
 */
import type { AirTrack } from '@posrep/spec'
import type { Kind } from '../model/words.ts'
import type { Theme } from './theme.ts'

type TrackState = AirTrack['state']

export interface Symbols {
  /** @param direction Clockwise from north; NaN if it is unknown. */
  draw(
    context: CanvasRenderingContext2D,
    px: number,
    py: number,
    kind: Kind,
    state: TrackState,
    onGround: boolean,
    step: number,
    direction: number,
  ): void
}

const size = 26
const directions = 48
/** They take up to 10 kB each. */
const maxPictures = 4_000

// Paths are made when they are drawn: a server that imports the module has none.

const shapes: Record<Kind, string> = {
  aircraft: 'M0 -9.5 L6.5 8 L0 4.4 L-6.5 8 Z',
  drone: 'M0 -8 L6.5 0 L0 8 L-6.5 0 Z M0 -8 L0 -11',
  unknown: 'M0 -6 A6 6 0 1 1 0 6 A6 6 0 1 1 0 -6 M0 -6 L0 -10.5',
}
const still: Record<Kind, string> = {
  aircraft: 'M0 -6 A6 6 0 1 1 0 6 A6 6 0 1 1 0 -6',
  drone: 'M0 -7 L6.5 0 L0 7 L-6.5 0 Z',
  unknown: 'M0 -6 A6 6 0 1 1 0 6 A6 6 0 1 1 0 -6',
}
const cross = 'M-5.5 5.5 L5.5 -5.5'

export function createSymbols(theme: Theme, ratio: number): Symbols {
  const pixels = Math.ceil(size * ratio)
  /** Bitmaps, because a canvas as the source of a copy is prepared for each copy anew. */
  const pictures = new Map<number, ImageBitmap>()

  function paint(kind: Kind, state: TrackState, onGround: boolean, step: number, turn: number): ImageBitmap {
    const canvas = new OffscreenCanvas(pixels, pixels)
    const context = canvas.getContext('2d')
    if (!context) throw new Error('This browser has no canvas')
    context.setTransform(ratio, 0, 0, ratio, pixels / 2, pixels / 2)
    const isStill = turn === directions
    if (!isStill) context.rotate((turn / directions) * 2 * Math.PI)
    if (onGround) context.scale(0.62, 0.62)
    const shape = new Path2D((isStill ? still : shapes)[kind])
    const colour = theme.altitudes[step] ?? theme.text
    context.lineJoin = 'round'
    context.strokeStyle = theme.halo
    context.lineWidth = state === 'live' ? 3 : 4.5
    context.stroke(shape)
    context.fillStyle = state === 'live' ? colour : theme.halo
    context.fill(shape)
    context.strokeStyle = colour
    context.lineWidth = state === 'live' ? 1 : 1.8
    if (state === 'tentative') context.setLineDash([3, 2])
    context.stroke(shape)
    context.setLineDash([])
    if (state === 'coasting') context.stroke(new Path2D(cross))
    return canvas.transferToImageBitmap()
  }

  function forgetAll(): void {
    for (const picture of pictures.values()) picture.close()
    pictures.clear()
  }

  return {
    draw(context, px, py, kind, state, onGround, step, direction) {
      const turn = Number.isNaN(direction) ? directions : Math.round((direction / 360) * directions) % directions
      const kindNumber = kind === 'aircraft' ? 0 : kind === 'drone' ? 1 : 2
      const stateNumber = state === 'live' ? 0 : state === 'tentative' ? 1 : 2
      const key = (((step * 3 + kindNumber) * 3 + stateNumber) * 2 + (onGround ? 1 : 0)) * (directions + 1) + turn
      let picture = pictures.get(key)
      if (!picture) {
        if (pictures.size >= maxPictures) forgetAll()
        pictures.set(key, (picture = paint(kind, state, onGround, step, turn)))
      }
      const width = pixels / ratio
      context.drawImage(picture, px - width / 2, py - width / 2, width, width)
    },
  }
}
