/**
 * The origins of browser-only apps: those of the redirect URIs of enabled clients.
 * Read from the directory at most once a second, and only when a browser asks.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Directory } from '../../ports/storage/directory.ts'
import { isRedirectUri, type RedirectUriPolicy } from './redirect-uri.ts'

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

  async function readOrigins(): Promise<Set<string>> {
    const clients = await directory.list('client')
    return new Set(
      clients
        .filter(({ disabled }) => !disabled)
        .flatMap((client) => client.redirectUris.filter((uri) => isRedirectUri(uri, redirectUris)))
        .map((uri) => new URL(uri).origin),
    )
  }

  return async (origin) => {
    if (!kept || clock.now() >= kept.untilMs) {
      const reading = { untilMs: clock.now() + keepMs, origins: readOrigins() }
      kept = reading
      // A failed read is not cached.
      reading.origins.catch(() => kept === reading && (kept = undefined))
    }
    return (await kept.origins).has(origin)
  }
}
