/**
 * Resolves a host name with a fresh DNS query.
 * In: a name. Out: its addresses, and how long they may be used: the TTL of the answer. Nothing is kept here.
 * Names that DNS does not know are the system's: those of the hosts file, of one word, and under `.local` and
 * `.localhost`.
 */
import { lookup, Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'

export interface HostAddress {
  address: string
  family: 4 | 6
}

export interface ResolvedHost {
  addresses: HostAddress[]
  ttlMs: number
}

export interface ResolveOptions {
  /** Default: those of the system. */
  nameServers: readonly string[] | undefined
}

/** The system's look-up does not tell a TTL. */
const systemTtlMs = 60_000
const maxTtlMs = 3_600_000
const hostsFile = process.platform === 'win32' ? 'C:\\Windows\\System32\\drivers\\etc\\hosts' : '/etc/hosts'

/** Rejects with Node's DNS error when there is no address. */
export async function resolveHost(hostname: string, { nameServers }: ResolveOptions): Promise<ResolvedHost> {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  if (await isSystemName(name)) return lookUp(name)
  try {
    return await query(name, nameServers)
  } catch (error) {
    // The system may know names that its name servers do not, or have none that can be asked directly.
    if (nameServers) throw error
    return lookUp(name)
  }
}

async function query(name: string, nameServers: readonly string[] | undefined): Promise<ResolvedHost> {
  // A new resolver reads the system's settings again: they change when a network is joined.
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const [four, six] = await Promise.allSettled([
    resolver.resolve4(name, { ttl: true }),
    resolver.resolve6(name, { ttl: true }),
  ])
  const found = [...toAddresses(four, 4), ...toAddresses(six, 6)]
  if (found.length === 0) throw four.status === 'rejected' ? four.reason : new Error(`"${name}" has no address`)
  const ttlMs = Math.min(maxTtlMs, ...found.map(({ ttl }) => ttl * 1_000))
  return { addresses: found.map(({ address, family }) => ({ address, family })), ttlMs }
}

function toAddresses(answer: PromiseSettledResult<{ address: string; ttl: number }[]>, family: 4 | 6) {
  return answer.status === 'fulfilled' ? answer.value.map((record) => ({ ...record, family })) : []
}

async function lookUp(name: string): Promise<ResolvedHost> {
  const found = await lookup(name, { all: true })
  const addresses = found.map(({ address, family }) => ({
    address,
    family: family === 6 ? (6 as const) : (4 as const),
  }))
  return { addresses, ttlMs: systemTtlMs }
}

async function isSystemName(name: string): Promise<boolean> {
  if (!name.includes('.') || name.endsWith('.local') || name.endsWith('.localhost')) return true
  const hosts = await readFile(hostsFile, 'utf8').catch(() => '')
  return hosts.split('\n').some((line) => {
    const [, ...names] = (line.split('#')[0] ?? '').trim().toLowerCase().split(/\s+/)
    return names.includes(name)
  })
}
