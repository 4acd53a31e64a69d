/**
 * Reads what a picture lists, sorted by ID, in portions.
 * In: how to open the picture, the bounds of the answer. Out: portions of objects, then whether there is more. Each
 * portion is of the picture as it is then: a client that reads slowly keeps no old picture in memory.
 */
import { toJsonText } from '../http/operation/json-text.ts'
import type { AirPicture } from './picture.ts'

export interface Source<T> {
  /** Called for each portion. */
  open(): Promise<AirPicture>
  sort(picture: AirPicture): readonly T[]
  idOf(item: T): string
}

export interface Bounds<T> {
  limit: number
  /** Only items whose ID sorts after this one. */
  after?: string | undefined
  isShown?: (item: T) => boolean
}

/** Items of a portion. They take a few ms at most. */
const itemsPerPortion = 200
/** An answer ends when it has reached this size. */
const maxAnswerBytes = 16 * 1024 * 1024

/**
 * @param toItems In: a portion, and all items of the picture. It may leave items out. Default: the items as they are.
 */
export async function* readInPortions<T extends object>(
  { open, sort, idOf }: Source<T>,
  { limit, after = '', isShown = () => true }: Bounds<T>,
  toItems: (portion: T[], all: readonly T[]) => object[] = (portion) => portion,
): AsyncGenerator<object[], { truncated: boolean }, undefined> {
  let left = limit
  let bytesLeft = maxAnswerBytes
  for (let last = after; ; ) {
    const all = sort(await open())
    const portion: T[] = []
    let index = findIndexAfter(all, last, idOf)
    for (let item = all[index]; item !== undefined && portion.length < itemsPerPortion; item = all[++index]) {
      if (!isShown(item)) continue
      if (left === 0 || bytesLeft <= 0) break
      left--
      portion.push(item)
      last = idOf(item)
    }
    const items = toItems(portion, all)
    bytesLeft -= items.reduce((sum, item) => sum + Buffer.byteLength(toJsonText(item)), 0)
    yield items
    if (portion.length < itemsPerPortion) return { truncated: index < all.length }
  }
}

/**
 * Sorts what pictures list, once for all readers of a frame.
 * In: what to list, and its IDs. Out: a function from a picture to the sorted list.
 */
export function createSort<T>(list: (picture: AirPicture) => Iterable<T>, idOf: (item: T) => string) {
  const sorted = new WeakMap<AirPicture, { sequence: number; timeMs: number; items: T[] }>()
  return (picture: AirPicture): readonly T[] => {
    const { sequence, timeMs } = picture
    const known = sorted.get(picture)
    if (known?.sequence === sequence && known.timeMs === timeMs) return known.items
    const items = [...list(picture)].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
    sorted.set(picture, { sequence, timeMs, items })
    return items
  }
}

/** The index of the first item whose ID sorts after `id`. */
function findIndexAfter<T>(items: readonly T[], id: string, idOf: (item: T) => string): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && idOf(item) > id) high = middle
    else low = middle + 1
  }
  return low
}
