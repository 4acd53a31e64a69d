/** The addresses that the development CA may certify besides the server's names. */
import ipaddr from 'ipaddr.js'

/** Loopback, private and link-local addresses. */
export const privateRanges = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]

export function isPrivateAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  return privateRanges.some((range) => {
    const [base, bits] = ipaddr.parseCIDR(range)
    return base.kind() === parsed.kind() && parsed.match(base, bits)
  })
}
