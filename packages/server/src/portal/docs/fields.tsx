/** The fields of an object, and what a value may be, in words. */
import { OriginTag, Text } from './docs-layout.tsx'
import { schemaPath } from './docs-paths.ts'
import { type Schema, toSchemaName } from './reference.ts'

export function SchemaLink({ name }: { name: string }) {
  return (
    <a href={schemaPath(name)}>
      <code>{name}</code>
    </a>
  )
}

/** What kind of value it is, with a link if it has a name. */
export function Type({ schema }: { schema: Schema }) {
  const { $ref, type = 'any value', oneOf, allOf, items } = schema
  if ($ref !== undefined) return <SchemaLink name={toSchemaName($ref)} />
  const several = oneOf ?? allOf
  if (several) {
    return several.map((one, index) => (
      <>
        {index > 0 && (oneOf ? ' or ' : ' and ')}
        <Type schema={one} />
      </>
    ))
  }
  if (items) {
    return (
      <>
        array of <Type schema={items} />
        {Array.isArray(type) && type.includes('null') && ' or null'}
      </>
    )
  }
  return <>{[type].flat().join(' or ')}</>
}

/** The limits of a value, in the order in which they are read. */
export function toLimits(schema: Schema): string[] {
  const { format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
  return [
    ...(format === undefined ? [] : [`format ${format}`]),
    ...toRange(minimum, maximum, ''),
    ...toRange(minLength, maxLength, ' characters'),
    ...toRange(minItems, maxItems, ' items'),
    ...(values.length === 0 ? [] : [values.map((value) => `\`${JSON.stringify(value)}\``).join(', ')]),
  ]
}

function toRange(least: number | undefined, most: number | undefined, unit: string): string[] {
  if (least !== undefined && most !== undefined) return [`${least} to ${most}${unit}`]
  if (least === 1 && unit !== '') return ['not empty']
  if (least !== undefined) return [`at least ${least}${unit}`]
  return most === undefined ? [] : [`at most ${most}${unit}`]
}

interface Field {
  /** With the names of what it is in: `address.city`, `positions[].id`. */
  name: string
  schema: Schema
  isRequired: boolean
}

/** Also of the objects inside that have no name of their own. */
export function toFields({ properties = {}, required = [] }: Schema, prefix = ''): Field[] {
  return Object.entries(properties).flatMap(([key, schema]) => {
    const name = `${prefix}${key}`
    const field = { name, schema, isRequired: required.includes(key) }
    const { items, oneOf = [] } = schema
    const inside = [schema, ...oneOf].flatMap((one) => toFields(one, `${name}.`))
    return [field, ...inside, ...(items ? toFields(items, `${name}[].`) : [])]
  })
}

export function Fields({ schema }: { schema: Schema }) {
  return <FieldTable fields={toFields(schema)} heading="Field" />
}

export interface FieldTableProps {
  heading: string
  fields: (Field & { place?: string })[]
}

export function FieldTable({ heading, fields }: FieldTableProps) {
  return (
    <div class="scroll stacks">
      <table>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            <th scope="col">Type</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, schema, isRequired, place }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                <span class="help"> {[place, isRequired ? 'required' : ''].filter(Boolean).join(', ')}</span>
              </th>
              <td class="type" data-label="Type">
                <Type schema={schema} />
              </td>
              <td class="wraps" data-label="Meaning">
                <Meaning schema={schema} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Meaning({ schema }: { schema: Schema }) {
  const limits = toLimits(schema)
  return (
    <>
      <Text text={schema.description ?? ''} />
      {limits.length > 0 && (
        <span class="help">
          {' '}
          <Text text={limits.join('; ')} />
        </span>
      )}{' '}
      <OriginTag origin={schema['x-origin']} />
    </>
  )
}
