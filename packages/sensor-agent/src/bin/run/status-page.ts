/**
 * The page /status. In: a snapshot. Out: HTML without scripts, in the colours of the system; the browser reloads it
 * every 2 s.
 */
import type { Snapshot } from './monitor.ts'
import { toLink, toSourceLine } from './status-line.ts'

export const statusStyle = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:2rem auto;max-width:45rem;padding:0 1rem}
h1{font-size:1.25rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .5rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent);text-align:left;vertical-align:top}
th{font-weight:normal;width:14rem}`

export function toStatusPage(snapshot: Snapshot): string {
  const { sensor, sources, alarms, disk, clockOffset } = snapshot
  const rows: [string, string | number][] = [
    ['Service', toLink(snapshot)],
    ['Accepted', snapshot.accepted],
    ['In the spool', `${snapshot.spooled} positions, ${snapshot.backlog} of them from an outage`],
    ['Refused', snapshot.refused],
    ['Dropped', snapshot.dropped],
    ['Spool files', `${disk.diskBytes} bytes`],
    [
      'Clock of the service',
      clockOffset ? `${(clockOffset.offsetMs / 1_000).toFixed(1)} s ahead of this machine` : 'unknown',
    ],
    ['Memory', `${Math.round(snapshot.residentBytes / 1_048_576)} MB`],
    ['Running since', snapshot.startedAt],
    ...sources.map((source): [string, string] => [`Source ${source.name}`, toSourceLine({ ...source, name: 'state' })]),
    ...alarms.map(({ at, message }): [string, string] => [`Action required, ${at}`, message]),
  ]
  const table = rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(String(value))}</td></tr>`,
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2">
<meta name="viewport" content="width=device-width"><title>Sensor ${escapeHtml(sensor)}</title><style>${statusStyle}</style></head>
<body><h1>Sensor ${escapeHtml(sensor)}</h1><table>${table.join('\n')}</table></body></html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
