/** An event of Cursor on Target, parsed as strict XML, for tests. In: its text. Out: its elements and attributes. */
import { XMLParser, XMLValidator } from 'fast-xml-parser'

export interface CotEvent {
  '@version': string
  '@uid': string
  '@type': string
  '@how': string
  '@time': string
  '@start': string
  '@stale': string
  point: Record<string, string>
  detail: { contact: { '@callsign': string }; track?: Record<string, string>; remarks: string }
}

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  htmlEntities: false,
})

/** @throws Error for text that is not one well-formed event */
export function parseEvent(xml: string): CotEvent {
  const judged = XMLValidator.validate(xml)
  if (judged !== true) throw new Error(`${judged.err.msg}: ${xml}`)
  return parser.parse(xml).event
}
