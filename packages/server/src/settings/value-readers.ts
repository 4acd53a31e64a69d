/** Parses the text of settings. In: text. Out: a value, or an Error whose message completes "`--flag` must be …". */
import ipaddr from 'ipaddr.js'
import { findRedisUrls } from '../ports/storage/redis-addresses.ts'

function must(expectation: string): never {
  throw new Error(`must be ${expectation}`)
}

export function count(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : must('a whole number from 0 to 999999999')
}

export function atLeastOne(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : must('a whole number from 1 to 999999999')
}

export function partitions(text: string): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= 256 ? value : must('a whole number from 1 to 256')
}

export function port(text: string): number {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  return value <= 65_535 ? value : must('a port from 0 to 65535')
}

const unitMs: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** In ms. */
export function duration(text: string): number {
  const [, figure, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const perUnit = unitMs[unit ?? '']
  return perUnit && Number(figure) > 0 ? Number(figure) * perUnit : must('a time such as "90s", "15m" or "24h"')
}

/** Returns the origin without a trailing slash. */
export function origin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : must('an origin such as "https://auth.example.com"')
  const isOrigin = /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href
  return isOrigin ? url.origin : must('an origin, with no path, query or user name')
}

export function redisUrl(text: string): string {
  return findRedisUrls(text)
    ? text
    : must('a URL such as "redis://redis.example.com:6379", or one with several nodes: "redis://a:6379,b:6379"')
}

export function toggle(text: string): boolean {
  if (['true', '1', 'yes', 'on'].includes(text)) return true
  return ['false', '0', 'no', 'off'].includes(text) ? false : must('true or false')
}

export function text(given: string): string {
  return given !== '' ? given : must('a text of at least one character')
}

export function oneOf<T extends string>(...values: T[]) {
  return (given: string): T =>
    values.find((value) => value === given) ?? must(values.map((value) => `"${value}"`).join(' or '))
}

/** In the order of `values`, each once. */
export function someOf<T extends string>(...values: T[]) {
  return (given: string): T[] => {
    const parts = given.split(',').map((part) => part.trim())
    const known = parts.every((part) => values.some((value) => value === part))
    return known ? values.filter((value) => parts.includes(value)) : must(`one or more of ${values.join(',')}`)
  }
}

export function ports(given: string): number[] {
  const numbers = given.split(',').map((part) => Number(/^ *(\d{1,5}) *$/.exec(part)?.[1]))
  return numbers.every((number) => number >= 1 && number <= 65_535) ? numbers : must('ports such as "9443,10443"')
}

/** The names that Express has for address ranges. */
const proxyRanges = new Set(['loopback', 'linklocal', 'uniquelocal'])

export function trustedProxies(given: string): string[] | number {
  if (/^\d{1,3}$/.test(given)) return Number(given)
  const parts = given.split(',').map((part) => part.trim())
  const isRange = (part: string) => proxyRanges.has(part) || ipaddr.isValid(part) || ipaddr.isValidCIDR(part)
  return parts.every(isRange) ? parts : must('a number of hops, or addresses such as "10.0.0.0/8,loopback"')
}
