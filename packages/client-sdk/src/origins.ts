/**
 * Checks the origins that will receive secrets.
 * In: one origin for everything, or one for each part of the service. Out: the three origins; TypeError for an insecure
 * one.
 */
export type OriginOptions =
  | {
      /** Origin of a service that answers everything at one origin. HTTPS, or HTTP on this machine. */
      origin: string | URL
      authOrigin?: never
      ingestOrigin?: never
      uiOrigin?: never
    }
  | {
      origin?: never
      /** Origin of the identity provider, `{auth_url}`. */
      authOrigin: string | URL
      /** Origin of the surveillance ingest, `{base_url}`. */
      ingestOrigin: string | URL
      /** Origin of the surveillance user interface, `{surveillance_ui_url}`. */
      uiOrigin: string | URL
    }

/** Each as `URL.origin` writes it. */
export interface Origins {
  auth: string
  ingest: string
  ui: string
}

/** @param caller Names the function in the message about an unknown option. */
export function toOrigins(
  { origin, authOrigin, ingestOrigin, uiOrigin, ...others }: OriginOptions,
  caller: string,
): Origins {
  checkNoOthers(others, caller)
  const read = (name: string, value: string | URL | undefined) =>
    value === undefined ? toOrigin('origin', origin) : toOrigin(name, value)
  return {
    auth: read('authOrigin', authOrigin),
    ingest: read('ingestOrigin', ingestOrigin),
    ui: read('uiOrigin', uiOrigin),
  }
}

/** Refuses an option that was misspelt. @throws TypeError */
export function checkNoOthers(others: object, caller: string): void {
  for (const name in others) throw new TypeError(`"${name}" is not an option of ${caller}()`)
}

/** @returns the origin, which is HTTPS, or HTTP to this machine */
export function toOrigin(option: string, value: string | URL | undefined): string {
  const url = value !== undefined && URL.canParse(value) ? new URL(value) : undefined
  const isLoopback = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) && url.href === `${url.origin}/`) {
    return url.origin
  }
  const wanted = 'must be an https origin, or http on this machine'
  throw new TypeError(`"${option}" ${wanted}, got ${JSON.stringify(String(value))}`)
}
