import { base, en, Faker } from '@faker-js/faker'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import * as fakes from '../src/fakes.ts'
import * as validators from '../src/validators.ts'
import { at, document, entries } from './document.ts'

const schemas = entries(at(document, 'components', 'schemas')).map(([name]) => name)

function getFake(schema: string) {
  const found = Object.entries(fakes).find(([name]) => name === `fake${schema}`)
  if (!found) throw new Error(`No fake for "${schema}"`)
  return found[1]
}

test.each(schemas)('fakes of %s are valid with all, some and none of their optional members', (schema) => {
  const validator = Object.entries(validators).find(([name]) => name === `v${schema}`)?.[1] ?? v.never()
  const faker = new Faker({ locale: [en, base], seed: 20260107 })
  const fake = getFake(schema)

  for (const includeOptional of [true, 0.5, false]) {
    for (let draw = 0; draw < 100; draw++) {
      const value = fake({ faker, includeOptional })
      expect(v.safeParse(validator, value).issues).toBeUndefined()
    }
  }
})

test('the same seed gives the same fake', () => {
  const draw = () => fakes.fakePositionReport({ faker: new Faker({ locale: [en, base], seed: 7 }) })

  expect(draw().positions.map(({ id }) => id)).toEqual(draw().positions.map(({ id }) => id))
})
