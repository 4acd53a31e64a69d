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

/** CSS variables, and what they are by default: in a light page, in a dark one. */
const tokens = {
  sea: ['--map-sea', '#dfe7ec', '#0b1116'],
  land: ['--map-land', '#f4f3ee', '#161d22'],
  coast: ['--map-coast', '#a9b8c2', '#34434e'],
  border: ['--map-border', '#d3cfc2', '#273138'],
  grid: ['--map-grid', 'rgb(60 90 110 / 9%)', 'rgb(150 190 215 / 7%)'],
  ring: ['--map-ring', 'rgb(11 90 148 / 45%)', 'rgb(124 192 245 / 38%)'],
  ringText: ['--map-ring-text', '#33607f', '#8fb7d3'],
  area: ['--map-area', '#7a3b8f', '#d3a3e6'],
  text: ['--map-text', '#15202b', '#e8eef3'],
  textQuiet: ['--map-text-quiet', '#4a5763', '#a9b6c2'],
  halo: ['--map-halo', 'rgb(255 255 255 / 88%)', 'rgb(11 17 22 / 86%)'],
  accent: ['--map-accent', '#0b5a94', '#7cc0f5'],
  alert: ['--map-alert', '#a3200f', '#ff9d8d'],
} as const

export function readTheme(element: HTMLElement): Theme {
  const probe = document.createElement('span')
  probe.hidden = true
  element.append(probe)
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const colour = ([variable, light, dark]: readonly [string, string, string]) => {
    probe.style.color = `var(${variable}, ${isDark ? dark : light})`
    return getComputedStyle(probe).color
  }
  const theme: Theme = {
    isDark,
    sea: colour(tokens.sea),
    land: colour(tokens.land),
    coast: colour(tokens.coast),
    border: colour(tokens.border),
    grid: colour(tokens.grid),
    ring: colour(tokens.ring),
    ringText: colour(tokens.ringText),
    area: colour(tokens.area),
    text: colour(tokens.text),
    textQuiet: colour(tokens.textQuiet),
    halo: colour(tokens.halo),
    accent: colour(tokens.accent),
    alert: colour(tokens.alert),
    font: getComputedStyle(element).fontFamily,
    altitudes: toColours(isDark),
  }
  probe.remove()
  return theme
}
