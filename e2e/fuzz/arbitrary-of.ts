/**
 * Generates values that are valid for a schema of the document.
 * In: a schema; references are resolved in the document. Out: a fast-check arbitrary. It supports the keywords that
 * reports use, and throws for other ones, so that a change of the document is noticed.
 */
import document from '@posrep/spec/openapi.json' with { type: 'json' }
import fc from 'fast-check'

export interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  enum?: string[]
  oneOf?: Schema[]
  pattern?: string
  minimum?: number
  maximum?: number
  additionalProperties?: boolean
}

/** Longer lists find no further errors; a separate test covers the longest list. */
const longestList = 4

/** Any Unicode character except lone surrogates; in a third of the cases an ASCII character. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code))

export function arbitraryOf(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.$ref) return arbitraryOf(resolve(schema.$ref))
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(arbitraryOf))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'object':
      return objects(schema)
    case 'array':
      return fc.array(arbitraryOf(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: longestList })
    case 'string':
      return strings(schema)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -(2 ** 31), max: schema.maximum ?? 2 ** 31 })
    case 'number':
      return fc.double({
        min: schema.minimum ?? -Number.MAX_VALUE,
        max: schema.maximum ?? Number.MAX_VALUE,
        noNaN: true,
        noDefaultInfinity: true,
      })
    default:
      throw new Error(`No arbitrary for the type "${schema.type}"; add it`)
  }
}

function resolve(reference: string): Schema {
  const name = reference.replace('#/components/schemas/', '')
  // The imported type of the document is too specific.
  const schema = (document.components.schemas as unknown as Record<string, Schema>)[name]
  if (!schema) throw new Error(`The document has no schema "${name}"`)
  return schema
}

/** Some have members that the document does not name, which must be accepted. */
function objects({ properties, required = [] }: Schema): fc.Arbitrary<unknown> {
  const unknown = fc.dictionary(fc.string({ unit: anyCharacter, maxLength: 12 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  if (!properties) return unknown
  const known = fc.record(
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, arbitraryOf(schema)])),
    { requiredKeys: required, noNullPrototype: true },
  )
  return fc.oneof(
    { weight: 4, arbitrary: known },
    { weight: 1, arbitrary: fc.tuple(unknown, known).map(([extra, value]) => ({ ...extra, ...value })) },
  )
}

function strings({ pattern }: Schema): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ unit: anyCharacter, maxLength: 40 })
  const form = new RegExp(pattern)
  const candidates = form.test('2026-01-07T12:00:30Z') && !form.test('x') ? times : ids
  return candidates.filter((text) => form.test(text))
}

const ids = fc.oneof(
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 }),
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 255 }),
)

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')

const times = fc
  .record({
    year: fc.oneof(fc.integer({ min: 2024, max: 2028 }), fc.integer({ min: 1, max: 9999 })),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 31 }),
    seconds: fc.integer({ min: 0, max: 86_399 }),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^\.[0-9]{1,9}$/)),
    zone: fc.oneof(
      fc.constantFrom('Z', 'z', '', '+00:00', '-00:00'),
      fc.stringMatching(/^[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]$/),
    ),
    separator: fc.constantFrom('T', 't'),
  })
  .map(({ year, month, day, seconds, fraction, zone, separator }) => {
    const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
      .map((part) => pad(part))
      .join(':')
    return `${pad(year, 4)}-${pad(month)}-${pad(day)}${separator}${time}${fraction}${zone}`
  })
