/** The agent's network: DNS by TTL, TLS, a private CA. */

export type { Network, NetworkOptions } from './network/network.ts'
export { createNetwork } from './network/network.ts'
