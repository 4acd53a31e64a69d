/** Wrong options fail at creation: the message quotes the option, what is allowed, and what was seen. */

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

/** Tokens and secrets go there: HTTPS, or plain HTTP on this machine only. A path is kept: the base address may have one. */
export function checkOrigin(option: string, url: URL): void {
  if (!(url instanceof URL)) throw new TypeError(`"${option}" must be a URL object, got ${typeof url}`)
  if (url.username || url.password || url.search || url.hash) {
    throw new TypeError(`"${option}" must be a plain address without user, query or fragment, got host "${url.host}"`)
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return
  throw new TypeError(`"${option}" must be an https address (http only for this machine), got "${url.href}"`)
}

/** Where an operation of the document is served below a base address. */
export function toUrl(base: URL, path: string): URL {
  return new URL(base.href.replace(/\/+$/, '') + path)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
