/**
 * Reads a header that is sent once.
 * In: headers, and its name. Out: its value. A proxy that sends it twice, or joins two of them with a comma, changes
 * nothing if both are equal.
 */
export function readHeader(headers: Headers, name: string): string | undefined {
  const value = headers.get(name)
  if (value === null) return undefined
  const [first = '', ...others] = value.slice(0, maxLength).split(/, ?/)
  return others.every((other) => other === first) ? first : value
}

/** No header of the service is longer. What is cut off makes the values differ. */
const maxLength = 8_192
