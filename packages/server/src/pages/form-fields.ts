/** A page's form as it was parsed: only a field that was sent once is a string. */
export type FormFields = Record<string, unknown>

export function toText(field: unknown): string {
  return typeof field === 'string' ? field : ''
}
