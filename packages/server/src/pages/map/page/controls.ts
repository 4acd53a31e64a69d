/**
 * The controls of the map: filters, layers, units, zoom, legend. What a user chose for layers and units is kept in the
 * browser.
 */

import { type AirMap, countConditions, everything } from '@posrep/air/map'
import { altitudeSteps, feet, type Kind, toColours, type Units } from '@posrep/air/words'
import { find, setText } from './dom.ts'

const storageKey = 'posrep-air'
const layerNames = ['hasTrails', 'hasLabels', 'hasVectors', 'hasRings', 'hasAreas'] as const

export function setUpControls(root: HTMLElement, map: AirMap): void {
  const { choices } = map
  const filterForm = find<HTMLFormElement>(root, '[data-filter]')
  const layerForm = find<HTMLFormElement>(root, '[data-layers]')

  for (const button of root.querySelectorAll<HTMLElement>('[data-zoom]')) {
    button.addEventListener('click', () => {
      const { zoom } = button.dataset
      if (zoom === 'fit') map.fitAll()
      else map.zoomBy(zoom === 'in' ? 1.6 : 1 / 1.6)
    })
  }

  function filter(): void {
    const given = new FormData(filterForm)
    const metres = (name: string) => {
      const text = String(given.get(name) ?? '').trim()
      if (text === '' || Number.isNaN(Number(text))) return undefined
      return choices.units === 'metric' ? Number(text) : Number(text) / feet
    }
    map.setFilter({
      text: String(given.get('text') ?? '')
        .trim()
        .toLowerCase(),
      kinds: new Set(given.getAll('kind').map((kind) => String(kind) as Kind)),
      floor: metres('floor'),
      ceiling: metres('ceiling'),
      device: String(given.get('device') ?? '') || undefined,
    })
    const count = countConditions(map.filter)
    setText(find(root, '#air-filter .air-toggle'), count === 0 ? 'Filter' : `Filter (${count})`)
  }
  filterForm.addEventListener('input', filter)
  filterForm.addEventListener('submit', (event) => event.preventDefault())
  filterForm.addEventListener('reset', () => setTimeout(filter))
  map.setFilter(everything)

  function choose(): void {
    const given = new FormData(layerForm)
    map.choose({
      ...Object.fromEntries(layerNames.map((name) => [name, given.has(name)])),
      units: given.get('units') === 'aviation' ? 'aviation' : 'metric',
    })
    setText(find(root, '[data-unit]'), choices.units === 'metric' ? 'm' : 'ft')
    showLegend(root, choices.units)
    filter()
    keep(layerForm)
  }
  restore(layerForm)
  layerForm.addEventListener('change', choose)
  choose()
  chooseDevice(filterForm, new URLSearchParams(location.search).get('device'), filter)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => showLegend(root, choices.units))
  setInterval(() => showScale(root, map), 250)
}

/** The device of the address, when a page of a device leads here. */
function chooseDevice(form: HTMLFormElement, device: string | null, filter: () => void): void {
  const select = find<HTMLSelectElement>(form, 'select')
  if (device === null || ![...select.options].some(({ value }) => value === device)) return
  select.value = device
  filter()
}

function showLegend(root: HTMLElement, units: Units): void {
  const colours = toColours(matchMedia('(prefers-color-scheme: dark)').matches)
  const factor = units === 'metric' ? 1 : feet
  setText(find(root, '[data-legend-title]'), units === 'metric' ? 'Altitude, m' : 'Altitude, ft')
  for (const [step, swatch] of [...root.querySelectorAll<HTMLElement>('[data-legend] > span')].entries()) {
    swatch.style.background = colours[step] ?? ''
    const limit = altitudeSteps[step] ?? 0
    const rounded = units === 'metric' ? limit : Math.round((limit * factor) / 100) * 100
    // Every third limit has a figure, so that they do not touch.
    swatch.dataset.from = step % 3 === 0 ? (Number.isFinite(limit) ? rounded.toLocaleString('en') : '0') : ''
  }
}

let shownScale = ''

function showScale(root: HTMLElement, map: AirMap): void {
  const { pixels, text } = map.scale()
  const width = `${pixels}px`
  if (shownScale === width + text) return
  shownScale = width + text
  const scale = find(root, '[data-scale]')
  scale.style.width = width
  setText(scale, text)
}

function keep(form: HTMLFormElement): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify([...new FormData(form)]))
  } catch {
    // A browser that keeps nothing shows the page as it is by default.
  }
}

function restore(form: HTMLFormElement): void {
  let kept: [string, string][]
  try {
    kept = JSON.parse(localStorage.getItem(storageKey) ?? 'null') ?? [...new FormData(form)]
  } catch {
    return
  }
  const given = new Map(kept)
  for (const input of form.querySelectorAll('input')) {
    input.checked = input.type === 'radio' ? given.get(input.name) === input.value : given.has(input.name)
  }
}
