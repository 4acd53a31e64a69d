import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as fakes from '../src/fakes.ts'
import * as msw from '../src/msw.ts'
import * as validators from '../src/validators.ts'
import { at, document, entries } from './document.ts'

const schemas = entries(at(document, 'components', 'schemas')).map(([name]) => name)
const operationIds = entries(at(document, 'paths')).flatMap(([, item]) =>
  entries(item).flatMap(([, operation]) => {
    const id = at(operation, 'operationId')
    return typeof id === 'string' ? [id] : []
  }),
)

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

test('every schema has a short name that index.ts exports', () => {
  const names = readFileSync(new URL('../src/names.ts', import.meta.url), 'utf8')
  const door = readFileSync(new URL('../src/index.ts', import.meta.url), 'utf8')

  const missing = schemas.filter(
    (name) => !names.includes(`export type ${name} = Schemas['${name}']`) || !door.includes(`  ${name},`),
  )
  expect(missing).toEqual([])
})

test('every schema has a validator and a fake', () => {
  expect(schemas.filter((name) => !(`v${name}` in validators))).toEqual([])
  expect(schemas.filter((name) => !(`fake${name}` in fakes))).toEqual([])
})

test('every operation has a handler', () => {
  expect(Object.keys(msw).sort()).toEqual(
    [...operationIds.map((id) => `handle${capitalised(id)}`), 'createMswHandlers'].sort(),
  )
})
