/** Checks options at creation. Error messages contain the option's name, the allowed values and the value seen. */

export function checkNumber(option: string, value: number, min: number, max = Number.POSITIVE_INFINITY): void {
  if (value >= min && value <= max) return
  const range = max === Number.POSITIVE_INFINITY ? `${min} or more` : `${min}-${max}`
  throw new RangeError(`"${option}" must be ${range}, got ${value}`)
}

export function checkWholeNumber(option: string, value: number, min: number, max?: number): void {
  checkNumber(option, value, min, max)
  if (!Number.isInteger(value)) throw new RangeError(`"${option}" must be a whole number, got ${value}`)
}

export function checkText(option: string, value: string): void {
  if (typeof value !== 'string' || value === '') throw new TypeError(`"${option}" must not be empty`)
}

export function checkOneOf(option: string, value: string, allowed: readonly string[]): void {
  if (!allowed.includes(value)) throw new TypeError(`"${option}" must be ${allowed.join(' or ')}, got "${value}"`)
}

/**
 * Tokens and secrets are sent to this origin, so it must be HTTPS, or plain HTTP on this machine. It may have a path.
 */
export function checkOrigin(option: string, url: URL): void {
  if (!(url instanceof URL)) throw new TypeError(`"${option}" must be a URL object, got ${typeof url}`)
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError(`"${option}" must be a URL without user, query or fragment, got host "${url.host}"`)
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return
  throw new TypeError(`"${option}" must be an https URL (http only for this machine), got "${url.href}"`)
}

/** The URL of an operation's path below a base URL. */
export function toUrl(base: URL, path: string): URL {
  let end = base.href.length
  while (base.href[end - 1] === '/') end--
  return new URL(base.href.slice(0, end) + path)
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
