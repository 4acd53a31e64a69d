/**
 * Mounts the map of any page.
 * In: the element with `data-air-map`, whose other attributes say where everything is. Out: the map.
 */
import { type AirMap, type Margins, mountAirMap } from '@posrep/air/map'
import type { AirHistory } from '@posrep/spec'
import { followStream } from '../feed/follow-stream.ts'
import { fetchVisible } from '../feed/visible-json.ts'
import { find } from './dom.ts'

export function mountMap(root: HTMLElement): AirMap {
  const { airMap, feed = '', stream = '', land, places, tiles, basemap, device } = root.dataset
  return mountAirMap(find(root, '.air-view'), {
    follow: (options) => followStream(feed, new URL(stream, location.href).href, options),
    onEnded: () => document.dispatchEvent(new Event('gone')),
    readHistory: ({ seconds, bbox }) => {
      const query = new URLSearchParams({ seconds: String(seconds), ...(bbox !== undefined && { bbox }) })
      return fetchVisible<AirHistory>(`/air/history?${query}`)
    },
    land: JSON.parse(land ?? '{}'),
    places: JSON.parse(places ?? '{}'),
    tiles,
    basemap,
    device,
    isCompact: airMap === 'compact',
    description: airMap === 'full' ? 'The table of targets has everything that the map shows.' : '',
    covered: () => coveredBy(root),
  })
}

/** On a wide page, panels float at the sides of the map. Those below it are below the tools. */
function coveredBy(root: HTMLElement): Margins {
  const map = root.querySelector('.air-view')?.getBoundingClientRect()
  const find = (selector: string) => {
    const column = root.querySelector(selector)
    return column && getComputedStyle(column).position === 'absolute' ? column.getBoundingClientRect() : undefined
  }
  const [left, right, tools] = ['.air-left', '.air-right', '.air-tools'].map(find)
  return {
    top: 0,
    right: map && right ? map.right - right.left : 0,
    bottom: map && tools ? map.bottom - tools.top : 0,
    left: map && left ? left.right - map.left : 0,
  }
}
