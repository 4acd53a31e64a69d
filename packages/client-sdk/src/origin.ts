/**
 * Checks an origin that will receive secrets.
 * In: an option's name and value. Out: a URL with only an origin; HTTPS, or HTTP to this machine.
 */
export function toOrigin(option: string, value: string | URL): URL {
  const url = toUrl(option, value)
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) {
    throw new TypeError(`"${option}" must be https, or http on this machine, got ${JSON.stringify(String(value))}`)
  }
  if (url.href !== `${url.origin}/`) {
    throw new TypeError(`"${option}" must be an origin such as "${url.origin}", got ${JSON.stringify(String(value))}`)
  }
  return url
}

function toUrl(option: string, value: string | URL): URL {
  try {
    return new URL(value)
  } catch (cause) {
    throw new TypeError(`"${option}" must be a URL, got ${JSON.stringify(String(value))}`, { cause })
  }
}
