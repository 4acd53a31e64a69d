import { globSync } from 'node:fs'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import * as validators from '../src/validators.ts'
import { at, document, entries, type Json } from './document.ts'
import { invalidExamples, validExamples } from './example-files.ts'

const schemas = entries(at(document, 'components', 'schemas')).map(([name]) => name)

test('every schema has one valid example, and every example has a schema', () => {
  expect(
    validExamples()
      .map(({ schema }) => schema)
      .sort(),
  ).toEqual([...schemas].sort())
})

test('every invalid example has a name, a summary and a pointer that say what is wrong', () => {
  for (const { schema, name, summary, pointer } of invalidExamples()) {
    expect(schemas).toContain(schema)
    expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(summary).toMatch(/^.{8,80}[^.]$/)
    expect(pointer).toMatch(/^(\/[^/]+)*$/)
  }
})

test('every file of the document is referenced', () => {
  const folder = new URL('../../../openapi/', import.meta.url)
  const count = (pattern: string) => globSync(pattern, { cwd: folder }).length
  const components = (kind: string) => entries(at(document, 'components', kind)).length

  expect(components('schemas')).toBe(count('schemas/*.yaml'))
  expect(components('responses')).toBe(count('responses/*.yaml'))
  expect(components('headers')).toBe(count('headers/*.yaml'))
  expect(components('parameters')).toBe(count('parameters/*.yaml'))
  expect(entries(at(document, 'paths'))).toHaveLength(count('paths/*.yaml'))
  expect(entries(at(document, 'webhooks'))).toHaveLength(count('webhooks/*.yaml'))
})

interface Content {
  where: string
  media: Json
}

/** Every request and response body of an operation or a webhook. */
function contents(): Content[] {
  const resolve = (node: Json | undefined) => {
    const target = at(node, '$ref')
    return typeof target === 'string' ? at(document, ...target.slice(2).split('/')) : node
  }
  const items = [...entries(at(document, 'paths')), ...entries(at(document, 'webhooks'))]
  return items.flatMap(([path, item]) =>
    entries(item)
      .filter(([, operation]) => at(operation, 'responses') !== undefined)
      .flatMap(([method, operation]) => {
        const responses = entries(at(operation, 'responses'))
        const bodies: [string, Json | undefined][] = [['body', at(operation, 'requestBody')], ...responses]
        return bodies.flatMap(([name, body]) =>
          entries(at(resolve(body), 'content')).map(([type, media]) => ({
            where: `${method} ${path} ${name} ${type}`,
            media,
          })),
        )
      }),
  )
}

test.each(contents())('$where has an example that its validator accepts', ({ media }) => {
  const examples = entries(at(media, 'examples')).map(([, example]) => at(example, 'value'))
  const values = examples.length > 0 ? examples : [at(media, 'example')]
  const target = at(media, 'schema', '$ref')
  const found = Object.entries(validators).find(([name]) => `#/components/schemas/${name.slice(1)}` === target)

  for (const value of values) {
    expect(value).toBeDefined()
    if (found) expect(v.safeParse(found[1], value).issues).toBeUndefined()
  }
})

test('every parameter has an example', () => {
  const parameters = [
    ...entries(at(document, 'components', 'parameters')),
    ...entries(at(document, 'paths')).flatMap(([, item]) =>
      entries(item).flatMap(([, operation]) => entries(at(operation, 'parameters'))),
    ),
  ].map(([, parameter]) => parameter)

  const inline = parameters.filter((parameter) => at(parameter, '$ref') === undefined)
  expect(inline.filter((parameter) => at(parameter, 'example') === undefined)).toEqual([])
})
