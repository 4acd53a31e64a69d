/**
 * Resolves relay names through the name servers (c-ares). `getaddrinfo` would block Node's thread pool, which
 * signatures, password hashes and file access need.
 * In: a name. Out: its current IPv4 and IPv6 addresses; nothing is cached.
 */
import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'

export type Resolve = (host: string) => Promise<LookupAddress[]>

/** Also reads the hosts file, which private networks need. */
export const systemResolve: Resolve = (host) => dns.lookup(host, { all: true })

export interface NameServerOptions {
  /** `address:port`. Default: the system's name servers. */
  servers?: string[]
}

/** Two tries, with both families in parallel, fit into the deadline of a delivery. */
const tryMs = 1_500
const tries = 2

export function createResolve({ servers }: NameServerOptions = {}): Resolve {
  const resolver = new dns.Resolver({ timeout: tryMs, tries })
  if (servers) resolver.setServers(servers)

  return async (host) => {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const addresses = [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ]
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason
    return addresses
  }
}
