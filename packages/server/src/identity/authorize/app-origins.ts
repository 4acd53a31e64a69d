/**
 * The origins of browser-only apps: those of the redirect URIs of enabled clients, and those that the clients list
 * beside them. Read from the directory at most once a second, and only when a browser asks. While it cannot be read,
 * the origins that were read last count, so that apps see the real error of the call.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { isRedirectUri, isRegistered, type RedirectUriPolicy } from './redirect-uri.ts'

const keepMs = 1_000

export interface AppOriginsOptions {
  directory: Directory
  clock: Clock
  redirectUris: RedirectUriPolicy
}

export function createIsAppOrigin({
  directory,
  clock,
  redirectUris,
}: AppOriginsOptions): (origin: string) => Promise<boolean> {
  let kept: { untilMs: number; origins: Promise<Set<string>> } | undefined
  let last: Set<string> | undefined

  async function readOrigins(): Promise<Set<string>> {
    const clients = await directory.list('client')
    last = new Set(
      clients
        .filter(({ disabled }) => !disabled)
        .flatMap((client) => [...client.redirectUris, ...(client.origins ?? [])])
        .filter((uri) => isRedirectUri(uri, redirectUris))
        .map((uri) => new URL(uri).origin),
    )
    return last
  }

  return async (origin) => {
    if (!kept || clock.now() >= kept.untilMs) {
      const reading = { untilMs: clock.now() + keepMs, origins: readOrigins() }
      kept = reading
      // A failed read is not cached.
      reading.origins.catch(() => kept === reading && (kept = undefined))
    }
    const known = await kept.origins.catch((error: unknown) => {
      if (last) return last
      throw error
    })
    return isRegistered(origin, [...known])
  }
}
