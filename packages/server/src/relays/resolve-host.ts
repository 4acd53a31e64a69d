/**
 * The addresses of a relay's name, asked of the name servers themselves: the system's `getaddrinfo` has a few threads for
 * the whole process, and names that are slow to resolve would keep everybody else waiting.
 * In: a name. Out: every IPv4 and IPv6 address that it has now; nothing is remembered.
 */
import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'

export type Resolve = (host: string) => Promise<LookupAddress[]>

/** Also knows what is in the hosts file, as private networks need it. */
export const systemResolve: Resolve = (host) => dns.lookup(host, { all: true })

export interface NameServerOptions {
  /** `address:port`. Default: those of the system. */
  servers?: string[]
}

/** Two tries of each family, side by side, end within the deadline of a delivery. */
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
