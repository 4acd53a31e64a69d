/** The table of aircraft. Rows are kept and changed, so that a selection or the focus of a screen reader stays. */
import type { PositionData } from '@posrep/client-sdk'
import { element } from './page.ts'
import type { Aircraft } from './positions.ts'

const datums = { bar: 'pressure altitude', msl: 'above sea level', wgs84: 'above ellipsoid', agl: 'above ground' }

const rows = new Map<string, HTMLTableRowElement>()

export function drawTable(aircraft: [id: string, Aircraft][]): void {
  const ids = new Set(aircraft.map(([id]) => id))
  for (const [id, row] of rows) {
    if (ids.has(id)) continue
    row.remove()
    rows.delete(id)
  }
  aircraft.forEach(([id, { name, position }], index) => {
    const row = rows.get(id) ?? addRow(id)
    const texts = [name, toAltitude(position), toSpeed(position), toPlace(position)]
    texts.forEach((text, column) => {
      const cell = row.cells[column]
      if (cell && cell.textContent !== text) cell.textContent = text
    })
    const inPlace = element('rows').children[index]
    if (inPlace !== row) element('rows').insertBefore(row, inPlace ?? null)
  })
}

function addRow(id: string): HTMLTableRowElement {
  const row = document.createElement('tr')
  const header = Object.assign(document.createElement('th'), { scope: 'row' })
  const cells = ['number', 'number', 'number wide'].map((className) =>
    Object.assign(document.createElement('td'), { className }),
  )
  row.append(header, ...cells)
  rows.set(id, row)
  return row
}

function toAltitude({ altitudes, onGround }: PositionData): string {
  if (onGround) return 'on the ground'
  const [altitude] = altitudes ?? []
  return altitude ? `${Math.round(altitude.height).toLocaleString('en')}\u00a0m, ${datums[altitude.datum]}` : ''
}

function toSpeed({ groundVelocity }: PositionData): string {
  const { x, y } = groundVelocity ?? {}
  return x === undefined || y === undefined ? '' : `${Math.round(Math.hypot(x, y) * 3.6)}\u00a0km/h`
}

function toPlace({ position: { lat, lon } }: PositionData): string {
  return `${lat.toFixed(4)}, ${lon.toFixed(4)}`
}
