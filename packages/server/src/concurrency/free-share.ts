/**
 * How much of `total` one party may have while `used` is in use. One that is alone may have half. Each further party
 * finds something free: there is always about as much free as the largest party has, however many parties there are.
 */
export function freeShareOf(total: number, used: number): number {
  const free = Math.max(0, total - used)
  return (2 * free * free) / total
}
