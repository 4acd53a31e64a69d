/**
 * The value of `--redis`: the URL of a Redis, or of several nodes, such as `redis://user:password@a:6379,b:6379`.
 * User, password and TLS are the same for all nodes.
 */

/** Returns a URL per address, or undefined if the text is not such a value. */
export function findRedisUrls(text: string): string[] | undefined {
  const scheme = /^rediss?:\/\//.exec(text)?.[0]
  if (scheme === undefined) return undefined
  const from = Math.max(scheme.length, text.lastIndexOf('@') + 1)
  const slash = text.indexOf('/', from)
  const to = slash === -1 ? text.length : slash
  const addresses = text.slice(from, to).split(',')
  const urls = addresses.map((address) => `${text.slice(0, from)}${address}${text.slice(to)}`)
  return urls.every(isRedisUrl) ? urls : undefined
}

/** The URL may have a user name, a password and a database number. */
function isRedisUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isRedis = url && /^rediss?:$/.test(url.protocol) && url.hostname !== '' && /^\/?\d*$/.test(url.pathname)
  return isRedis === true && url?.search === '' && url.hash === ''
}

/** Returns hosts and ports, for messages: without user name and password. */
export function toRedisAddresses(text: string): string {
  return (findRedisUrls(text) ?? []).map(toRedisAddress).join(',')
}

export function toRedisAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 6379}`
}

/** The URL of another node, with the same user, password and TLS. */
export function toNodeUrl(url: string, host: string, port: number | string): string {
  const node = new URL(url)
  node.hostname = host.includes(':') ? `[${host}]` : host
  node.port = String(port)
  return node.href
}
