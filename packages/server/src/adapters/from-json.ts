/** Parses JSON that an adapter wrote. The caller passes the type of the value that was written. */
export function fromJson<T>(json: string): T
export function fromJson<T>(json: string | undefined): T | undefined
export function fromJson<T>(json: string | undefined): T | undefined {
  return json === undefined ? undefined : (JSON.parse(json) as T)
}
