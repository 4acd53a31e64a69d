import { expect, test } from 'vitest'
import { at, document, entries, type Json } from './document.ts'

/** The elements without an `x-origin`, own or from a parent. Components have no parent, so they need their own. */
function unmarked(node: Json | undefined, where: string, inherited?: Json): string[] {
  const origin = at(node, 'x-origin') ?? inherited
  const isReference = at(node, '$ref') !== undefined
  const self = isReference || origin === 'specification' || origin === 'toolkit' ? [] : [where]
  const children = ['parameters', 'requestBody', 'responses', 'headers', 'properties', 'items'].flatMap((part) => {
    const value = at(node, part)
    if (part === 'items' || part === 'requestBody')
      return value === undefined ? [] : unmarked(value, `${where}/${part}`, origin)
    return entries(value).flatMap(([key, child]) => unmarked(child, `${where}/${part}/${key}`, origin))
  })
  return [...self, ...children]
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

function operations(): [string, Json][] {
  const items = [...entries(at(document, 'paths')), ...entries(at(document, 'webhooks'))]
  return items.flatMap(([path, item]) =>
    entries(item).flatMap(([method, operation]): [string, Json][] =>
      methods.includes(method) ? [[`${method.toUpperCase()} ${path}`, operation]] : [],
    ),
  )
}

test.each(operations())('%s and all its parts have an origin', (name, operation) => {
  expect(unmarked(operation, name)).toEqual([])
  expect(at(operation, 'x-origin')).toBeDefined()
})

const components = ['schemas', 'parameters', 'responses', 'headers', 'securitySchemes'].flatMap((kind) =>
  entries(at(document, 'components', kind)).map(([name, node]): [string, Json] => [`${kind}/${name}`, node]),
)

test.each(components)('%s and all its parts have an origin', (name, node) => {
  expect(unmarked(node, name)).toEqual([])
})

/** The descriptions that name neither a section of the specification nor the toolkit. */
function withoutSource(node: Json, where: string): string[] {
  const description = at(node, 'description')
  const isLiteral = /\/(example|examples|value)\//.test(`${where}/`)
  if (isLiteral) return []
  const bad = typeof description === 'string' && !/Specification\s+§|[Tt]oolkit/.test(description) ? [where] : []
  return [...bad, ...entries(node).flatMap(([key, child]) => withoutSource(child, `${where}/${key}`))]
}

test('every description of an operation, a parameter, a status, a schema and a property names its source', () => {
  const described = ['paths', 'webhooks', 'components'].flatMap((part) =>
    withoutSource(at(document, part) ?? null, part),
  )

  expect(described.filter((where) => !/\/servers\/\d+$/.test(where))).toEqual([])
})

function undescribed(node: Json, where: string): string[] {
  const properties = entries(at(node, 'properties'))
  return properties.flatMap(([name, property]) =>
    at(property, 'description') === undefined ? [`${where}.${name}`] : [],
  )
}

test('every schema and every property is described', () => {
  const schemas = entries(at(document, 'components', 'schemas'))

  expect(schemas.filter(([, schema]) => at(schema, 'description') === undefined).map(([name]) => name)).toEqual([])
  expect(schemas.flatMap(([name, schema]) => undescribed(schema, name))).toEqual([])
})

test('every operation has a unique operationId', () => {
  const ids = operations()
    .filter(([name]) => name.includes('/'))
    .map(([, operation]) => at(operation, 'operationId'))

  expect(ids.every((id) => typeof id === 'string')).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every schema is used by an operation or a webhook', () => {
  const seen = new Set<string>()
  const visit = (node: Json | undefined): void => {
    const target = at(node, '$ref')
    if (typeof target === 'string' && !seen.has(target)) {
      seen.add(target)
      visit(at(document, ...target.slice(2).split('/')))
    }
    for (const [, child] of entries(node)) visit(child)
  }
  visit(at(document, 'paths'))
  visit(at(document, 'webhooks'))

  const unused = entries(at(document, 'components', 'schemas')).filter(
    ([name]) => !seen.has(`#/components/schemas/${name}`),
  )
  expect(unused.map(([name]) => name)).toEqual([])
})
