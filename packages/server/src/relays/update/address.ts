/**
 * What a relay address may be, as far as its text shows (specification, "RelayDetails": must be HTTPS).
 * In: the URL as the user gave it. Out: a URL to connect to, or what is wrong with it.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** Lifts the rules on addresses, literals and ports; never HTTPS. */
  allowPrivate: boolean
  /** Ports besides 443 and 8443. */
  ports: number[]
  /** Names of this service itself, which relays to nobody by way of itself. */
  ownHosts?: string[]
}

const maxLength = 2_048
const standardPorts = [443, 8443]
const reservedNames = /(?:^|\.)(?:local|localhost|internal|arpa|onion)$/

export type CheckedAddress = { kind: 'allowed'; url: URL } | { kind: 'refused'; reason: string }

export function checkRelayAddress(text: string, { allowPrivate, ports, ownHosts = [] }: AddressPolicy): CheckedAddress {
  const refused = (reason: string): CheckedAddress => ({ kind: 'refused', reason })
  if (text.length > maxLength) return refused(`must be at most ${maxLength} characters`)
  // The URL parser forgives more than other software does: what it would mend is refused.
  if (!/^https:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text)) return refused('must be an "https://" URL')
  if (!URL.canParse(text)) return refused('must be a URL')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return refused('must have no user name or password')
  if (text.includes('#')) return refused('must have no fragment')
  if (allowPrivate) return { kind: 'allowed', url }

  const host = url.hostname.replace(/\.$/, '')
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return refused('must name a host, not an IP address')
  if (!host.includes('.') || reservedNames.test(host)) return refused('must name a public host')
  if (host.length > 253 || host.split('.').some((label) => label.length > 63)) {
    return refused('must name a host with labels of at most 63 characters, 253 in all')
  }
  if (ownHosts.includes(host)) return refused('must not lead to this service itself')
  const port = Number(url.port || 443)
  if (![...standardPorts, ...ports].includes(port))
    return refused(`must use port ${[...standardPorts, ...ports].join(' or ')}`)
  return { kind: 'allowed', url }
}

/**
 * Whether an address that a name resolved to is one of the public internet's. Of IPv6 only global unicast is (2000::/3,
 * RFC 4291): outside of it lie the forms that carry an IPv4 address in them, and what nobody has been given yet.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || (parsed.match(globalUnicast) && !parsed.match(documentation))
}

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** RFC 9637, newer than the library's list. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20')
