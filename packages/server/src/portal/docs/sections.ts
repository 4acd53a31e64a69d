/**
 * The sections of the service's specification, and where a text names them.
 * In: a text of the document. Out: its parts: words, code, names of sections.
 */

/** In the order of the specification. */
export const sections = [
  'What the service does',
  'Authorization request parameters',
  'Token request, authorization code grant',
  'Token request, refresh grant',
  'Token response',
  'Device token request',
  'Sensor identifiers',
  'PairingToken',
  'PositionReport',
  'PositionData',
  'GeographicPosition',
  'SensorState',
  'SensorPosition',
  'GeographicVector',
  'Height',
  'Target',
  'Identifier',
  'Device',
  'RelayDetails',
  'Recent position report entry',
  'Relay messages',
  'Relay state',
  'Other shown moves',
  'Identity provider',
  'Surveillance ingest',
  'Surveillance out',
  'Authentication',
  'User login',
  'Device authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
] as const

export type Section = (typeof sections)[number]

/** The document calls both grants "Token request" where it means both. */
const names: readonly [name: string, section: Section][] = [
  ...sections.map((section): [string, Section] => [section, section]),
  ['Token request', 'Token request, authorization code grant'],
]

/** Longer names first: "Device" begins three of them. */
const byLength = names.map(([name]) => name).sort((a, b) => b.length - a.length)
const pattern = new RegExp(`\`([^\`]+)\`|§ (${byLength.join('|')})(?!\\w)`, 'g')

export type TextPart = { kind: 'words' | 'code'; text: string } | { kind: 'section'; text: string; section: Section }

export function toTextParts(text: string): TextPart[] {
  const parts: TextPart[] = []
  let at = 0
  const addWords = (end: number) => {
    if (end > at) parts.push({ kind: 'words', text: text.slice(at, end) })
  }
  for (const { 0: all, 1: code, 2: name = '', index } of text.matchAll(pattern)) {
    addWords(index)
    const section = new Map(names).get(name)
    if (section) parts.push({ kind: 'section', text: all, section })
    else parts.push({ kind: 'code', text: code ?? '' })
    at = index + all.length
  }
  addWords(text.length)
  return parts
}

/** The id of a section on its page. */
export function toSectionId(section: Section): string {
  return section.toLowerCase().replaceAll(/[^a-z]+/g, '-')
}

export function findSections(text: string): Section[] {
  return toTextParts(text).flatMap((part) => (part.kind === 'section' ? [part.section] : []))
}
