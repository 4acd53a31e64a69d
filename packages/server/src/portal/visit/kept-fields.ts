/**
 * Which text of a form is kept for the next page: of a form that the API refused, or that was submitted after its
 * session had ended.
 * In: the purpose of the form, and its fields. Out: the text of the fields that the form has, if there are any.
 */
import { type FormFields, toText } from '../../pages/forms/form-fields.ts'

export type KeptFields = Record<string, string>

const fieldsOf: Record<string, readonly string[]> = {
  relay: ['url'],
  details: ['name', 'tags'],
  sensors: ['local_id', 'name', 'client_id', 'csv'],
}

/** @param purpose The kind of the form; what it is about may follow after a colon. */
export function toKeptFields(purpose: string, fields: FormFields): KeptFields | undefined {
  const [kind = ''] = purpose.split(':', 1)
  if (!Object.hasOwn(fieldsOf, kind)) return undefined
  return Object.fromEntries((fieldsOf[kind] ?? []).map((name) => [name, toText(fields[name])]))
}
