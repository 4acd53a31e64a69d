/**
 * Checks an address that will be trusted with secrets.
 * In: an option and its name. Out: a URL that is an origin and nothing more; HTTPS, or HTTP to this machine.
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
    throw new TypeError(`"${option}" must be an address, got ${JSON.stringify(String(value))}`, { cause })
  }
}
