/**
 * A fetch that follows the network rules of the specification (Device authentication, 6 and 7): TLS 1.2 or newer; the name of the
 * service is resolved with a fresh DNS query, no connection is used after the answer's TTL, and no address is stored.
 */
import type { Clock, Fetch } from '../ports.ts'

export interface NetworkOptions {
  /** PEM text of a private CA to trust in addition to the public ones and those of `NODE_EXTRA_CA_CERTS`. */
  ca?: string
  /** Addresses of name servers, such as `192.0.2.1` or `127.0.0.1:5353`. Default: those of the system. */
  nameServers?: readonly string[]
  clock?: Clock
}

export interface Network {
  fetch: Fetch
  /** Closes the connections when their requests have ended. A later request opens new ones. */
  close(): Promise<void>
}

export function createNetwork(_options: NetworkOptions = {}): Network {
  throw new Error('createNetwork() is written next; this commit has its interface')
}
