/** The colours of the map: the tokens of the stylesheet, as the browser has resolved them for light or dark. */
import { toColours } from '../model/altitude-scale.ts'

export interface Theme {
  isDark: boolean
  sea: string
  land: string
  coast: string
  border: string
  grid: string
  ring: string
  ringText: string
  area: string
  text: string
  textQuiet: string
  halo: string
  accent: string
  alert: string
  font: string
  /** Of the steps of altitude; the last is for no altitude. */
  altitudes: string[]
}

export function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const colour = (token: string) => {
    probe.style.color = `var(--${token})`
    return getComputedStyle(probe).color
  }
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const theme: Theme = {
    isDark,
    sea: colour('map-sea'),
    land: colour('map-land'),
    coast: colour('map-coast'),
    border: colour('map-border'),
    grid: colour('map-grid'),
    ring: colour('map-ring'),
    ringText: colour('map-ring-text'),
    area: colour('map-area'),
    text: colour('text'),
    textQuiet: colour('text-quiet'),
    halo: colour('map-halo'),
    accent: colour('accent'),
    alert: colour('failed'),
    font: getComputedStyle(element).fontFamily,
    altitudes: toColours(isDark),
  }
  probe.remove()
  return theme
}
