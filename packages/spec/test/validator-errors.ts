/**
 * Validates a value with the generated valibot validators.
 * In: a schema's name and a value. Out: JSON Pointers to every error; none if the value is valid.
 */
import * as v from 'valibot'
import * as validators from '../src/validators.ts'
import { deepest } from './pointers.ts'

export function findValidatorErrors(schema: string, value: unknown): string[] {
  const { issues = [] } = v.safeParse(getValidator(schema), value)
  return deepest(issues.map(({ path = [] }) => path.map(({ key }) => `/${escaped(String(key))}`).join('')))
}

function getValidator(schema: string) {
  const found = Object.entries(validators).find(([name]) => name === `v${schema}`)
  if (!found) throw new Error(`No validator for "${schema}"`)
  return found[1]
}

/** RFC 6901 § 3 */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
