/** Returns host and port, for messages: without user name and password. */
export function toRedisAddress(url: string): string {
  const { hostname, port } = new URL(url)
  return `${hostname}:${port || 6379}`
}
