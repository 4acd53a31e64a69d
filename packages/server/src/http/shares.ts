/**
 * Divides what all callers share, so that one of them cannot take all: a quarter for an account, a quarter for an
 * address (IPv6: for a /64), half for a /48, which one customer may have as a whole.
 * In: the total, and who asks. Out: the limit of each key, for `createSlots`.
 */
import { networkOf } from './throttle.ts'

export interface Sharer {
  /** Through trusted proxies only. */
  address: string
  /** A key for the account or the client. Undefined while the caller is not known. */
  account?: string | undefined
}

export function sharesOf(total: number, { address, account }: Sharer): Record<string, number> {
  const share = shareOf(total)
  return { all: total, ...addressShares(address, share), ...(account !== undefined && { [account]: share }) }
}

/** The key of an account whose user calls. */
export function toAccountKey(accountId: string): string {
  return `account ${accountId}`
}

/** The share of one account or one address. */
export function shareOf(total: number): number {
  return Math.ceil(total / 4)
}

/** @param share Of an IPv4 address or a /64. */
export function addressShares(address: string, share: number): Record<string, number> {
  const network = networkOf(address, 4)
  if (!network.includes(':')) return { [`address ${network}`]: share }
  return { [`address ${network}::/64`]: share, [`address ${networkOf(address, 3)}::/48`]: share * 2 }
}
