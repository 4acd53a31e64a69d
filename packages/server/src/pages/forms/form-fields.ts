/** A parsed form. A field is a string only if it was sent exactly once. */
export type FormFields = Record<string, unknown>

export function toText(field: unknown): string {
  return typeof field === 'string' ? field : ''
}
