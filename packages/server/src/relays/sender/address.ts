/**
 * Checks the text of a relay address (specification, "RelayDetails": must be HTTPS).
 * In: the URL as the user gave it. Out: a URL to connect to, or the reason why it is refused.
 */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export interface AddressPolicy {
  /** Allows private addresses, IP literals and all ports. HTTPS is always required. */
  allowPrivate: boolean
  /** Allowed ports in addition to 443 and 8443. */
  ports: number[]
  /** Host names of this service. A relay must not lead to the service itself. */
  ownHosts?: string[]
}

const maxLength = 2_048
const standardPorts = [443, 8443]
/**
 * Names of private networks: reserved, never to be delegated, or in common use. A server may resolve them to internal
 * hosts.
 */
const internalNames =
  /(?:^|\.)(?:arpa|cluster|consul|corp|docker|domain|home|internal|intra|intranet|lan|local|localdomain|localhost|mail|onion|private|svc|workgroup)$/

export type CheckedAddress = { kind: 'allowed'; url: URL } | { kind: 'refused'; reason: string }

export function checkRelayAddress(text: string, { allowPrivate, ports, ownHosts = [] }: AddressPolicy): CheckedAddress {
  const refused = (reason: string): CheckedAddress => ({ kind: 'refused', reason })
  if (text.length > maxLength) return refused(`must be at most ${maxLength} characters`)
  // Refuse a URL that the parser would correct, because other software may read it differently.
  if (!/^https:\/\/[^/\\]/i.test(text) || /[\s\\\p{Cc}]/u.test(text)) return refused('must be an "https://" URL')
  if (!URL.canParse(text)) return refused('must be a URL')
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return refused('must have no user name or password')
  if (text.includes('#')) return refused('must have no fragment')
  if (allowPrivate) return { kind: 'allowed', url }

  const host = url.hostname.replace(/\.$/, '')
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) return refused('must name a host, not an IP address')
  if (!host.includes('.') || internalNames.test(host)) return refused('must name a public host')
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
 * Whether an address belongs to the public internet. For IPv6, only global unicast (2000::/3, RFC 4291) does: all other
 * addresses contain an IPv4 address or are not assigned.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast' || cloudAgents.has(parsed.toString())) return false
  return parsed.kind() === 'ipv4' || (parsed.match(globalUnicast) && !parsed.match(documentation))
}

/** Azure gives every virtual machine its own services under this address. */
const cloudAgents = new Set(['168.63.129.16'])
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** RFC 9637, which the library does not know yet. */
const documentation = ipaddr.IPv6.parseCIDR('3fff::/20')
