/**
 * The targets as a table: everything that the map shows. Sorted, in pages, kept current while it is open. While it is
 * hovered or has the focus, rows stay where they are, and their figures go on changing.
 */

import type { AirMap } from '@posrep/air/map'
import { findPosition, type Target } from '@posrep/air/map'
import {
  datums,
  kindWords,
  stateWords,
  toAgeText,
  toAltitudeText,
  toClimbText,
  toDirection,
  toPositionText,
  toShortDevice,
  toSpeedText,
  toTrackText,
} from '@posrep/air/words'
import { isInUse } from '../../../browser/hold.js'
import { find, make, setText } from '../dom.ts'

const perPage = 50
const natural = new Intl.Collator('en', { numeric: true })

type Value = (target: Target) => string | number

const values: Record<string, Value> = {
  name: ({ name }) => name,
  kind: ({ kind }) => kind,
  state: ({ state }) => state,
  altitude: ({ shownAltitude }) => shownAltitude,
  climb: ({ shownUp }) => shownUp,
  speed: ({ shownEast, shownNorth }) => Math.hypot(shownEast, shownNorth),
  track: ({ shownEast, shownNorth }) => (Number.isNaN(shownEast) ? Number.NaN : toDirection(shownEast, shownNorth)),
  seen: ({ receivedAtMs }) => receivedAtMs,
}

const labels = ['Kind', 'State', 'Altitude', 'Vertical rate', 'Speed', 'Track', 'Position', 'Sensors', 'Seen']

export function showTable(root: HTMLElement, map: AirMap): void {
  const panel = find(root, '#air-targets')
  const body = find<HTMLTableSectionElement>(root, '[data-rows]')
  const pages = find(root, '[data-pages]')
  const counter = find(root, '[data-count="air-targets"]')
  const rows = new Map<string, HTMLTableRowElement>()
  const { picture, choices } = map
  let order = readOrder()
  let page = 0
  let isOwn = false
  const news = make('button', { type: 'button', class: 'news', hidden: '' })
  const words = make('span', { class: 'quiet' })
  const previous = make('button', { type: 'button' }, 'Previous')
  const next = make('button', { type: 'button' }, 'Next')
  previous.addEventListener('click', () => turn(-1))
  next.addEventListener('click', () => turn(1))
  news.addEventListener('click', showNews)

  /** By keyboard the focus goes to the first new row: the button is hidden then. */
  function showNews({ detail }: MouseEvent): void {
    const shown = new Set(rows.keys())
    const isByKeyboard = detail === 0
    show(true)
    const [first] = [...body.querySelectorAll<HTMLElement>('tr')].filter((row) => !shown.has(row.dataset.key ?? ''))
    if (isByKeyboard) first?.querySelector('button')?.focus()
  }

  function turn(by: number): void {
    page += by
    show(true)
  }

  for (const link of panel.querySelectorAll<HTMLElement>('[data-sort]')) {
    link.addEventListener('click', (event) => {
      event.preventDefault()
      const key = link.dataset.sort ?? 'name'
      order = { key, isDescending: order.key === key && !order.isDescending }
      page = 0
      for (const other of panel.querySelectorAll('th[aria-sort]')) other.removeAttribute('aria-sort')
      link.closest('th')?.setAttribute('aria-sort', order.isDescending ? 'descending' : 'ascending')
      show(true)
    })
  }

  function read(): Target[] {
    const { key, isDescending } = order
    const value = values[key] ?? values.name
    const sign = isDescending ? -1 : 1
    return map
      .targets()
      .wanted.map((target) => ({ target, value: value?.(target) ?? '' }))
      .sort((a, b) => sign * compare(a.value, b.value, sign) || natural.compare(a.target.id, b.target.id))
      .map(({ target }) => target)
  }

  function show(isAsked = false): void {
    if (panel.hasAttribute('data-collapsed')) {
      setText(counter, map.targets().wanted.length.toLocaleString('en'))
      return
    }
    const targets = read()
    setText(counter, targets.length.toLocaleString('en'))
    takeOver()
    page = Math.max(0, Math.min(page, Math.ceil(targets.length / perPage) - 1))
    const wanted = targets.slice(page * perPage, (page + 1) * perPage)
    const isHeld = !isAsked && (isInUse(body) || isInUse(news))
    const added = wanted.filter(({ id }) => !rows.has(id)).length
    news.hidden = !isHeld || added === 0
    setText(news, `${added} new`)
    if (!isHeld) arrange(wanted)
    for (const [id, row] of rows) {
      const target = picture.find(id)
      if (target) fill(row, target)
      else row.classList.add('silent')
    }
    const count = Math.ceil(targets.length / perPage)
    pages.hidden = count <= 1
    setText(words, `Page ${page + 1} of ${count}`)
    previous.disabled = page === 0
    next.disabled = page + 1 >= count
  }

  /** From the rows of the server. */
  function takeOver(): void {
    if (isOwn) return
    isOwn = true
    body.replaceChildren()
    body.closest('.air-table')?.prepend(news)
    pages.replaceChildren(make('div', { class: 'air-pages' }, previous, words, next))
  }

  function arrange(wanted: Target[]): void {
    const kept = new Set(wanted.map(({ id }) => id))
    for (const [id, row] of rows) {
      if (kept.has(id)) continue
      row.remove()
      rows.delete(id)
    }
    let at: Element | null = body.firstElementChild
    for (const target of wanted) {
      let row = rows.get(target.id)
      if (!row) rows.set(target.id, (row = toRow(target)))
      if (row === at) at = row.nextElementSibling
      else body.insertBefore(row, at)
    }
  }

  function toRow({ id }: Target): HTMLTableRowElement {
    const button = make('button', { type: 'button', class: 'link' })
    button.addEventListener('click', () => {
      map.select(id)
      map.follow(false)
    })
    return make(
      'tr',
      { 'data-key': id },
      make('th', { scope: 'row' }, button),
      ...labels.map((label) => make('td', { 'data-label': label })),
    )
  }

  function fill(row: HTMLTableRowElement, target: Target): void {
    const { units, replayMs } = choices
    const { name, kind, state, shownEast, shownNorth, shownUp, shownAltitude, devices, onGround } = target
    const { datum } = target
    const texts = [
      kindWords[kind],
      target.hasEnded ? 'Ended' : stateWords[state],
      onGround ? 'on the ground' : withDatum(toAltitudeText(shownAltitude, units, datum), datum),
      toClimbText(shownUp, units),
      toSpeedText(Math.hypot(shownEast, shownNorth), units),
      toTrackText(shownEast, shownNorth),
      toPositionText(...findPosition(target, replayMs !== undefined)),
      devices.map(toShortDevice).join(', '),
      toAgeText(map.nowMs() - target.receivedAtMs),
    ]
    const button = row.querySelector('button')
    if (button) setText(button, name)
    row.classList.toggle('silent', state === 'coasting')
    row.setAttribute('aria-current', String(target.id === choices.selectedId))
    row.classList.toggle('air-alerted', target.isAlerted)
    for (const [index, text] of texts.entries()) {
      const cell = row.cells[index + 1]
      if (cell) setText(cell, text)
    }
  }

  for (const event of ['frame', 'selected', 'filtered', 'replay'] as const) map.on(event, () => show())
  panel.addEventListener('toggled', () => show(true))
}

/** As the server has sorted the table, and marked its column. */
function readOrder(): { key: string; isDescending: boolean } {
  const query = new URLSearchParams(location.search)
  const key = query.get('sort') ?? ''
  return { key: Object.hasOwn(values, key) ? key : 'name', isDescending: query.get('order') === 'descending' }
}

/** What is not known comes last, in both directions. */
function compare(a: string | number, b: string | number, sign: number): number {
  if (typeof a === 'string' || typeof b === 'string') return natural.compare(String(a), String(b))
  if (Number.isNaN(a) || Number.isNaN(b)) return sign * (Number(Number.isNaN(a)) - Number(Number.isNaN(b)))
  return a - b
}

/** A flight level says itself that it is a pressure altitude. */
function withDatum(altitude: string, datum: Target['datum']): string {
  return datum === undefined || altitude.startsWith('FL') ? altitude : `${altitude} ${datums[datum].short}`
}
