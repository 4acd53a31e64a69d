/**
 * Checks the origins that will receive secrets.
 * In: one origin for everything, or one for each part of the service. Out: the three origins; TypeError for an insecure one.
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

export function toOrigins({ origin, authOrigin, ingestOrigin, uiOrigin }: OriginOptions): Origins {
  if (origin !== undefined) {
    const all = toOrigin('origin', origin)
    return { auth: all, ingest: all, ui: all }
  }
  if (authOrigin === undefined && ingestOrigin === undefined && uiOrigin === undefined) {
    throw new TypeError('"origin" must be given, or "authOrigin", "ingestOrigin" and "uiOrigin"')
  }
  return {
    auth: toOrigin('authOrigin', authOrigin),
    ingest: toOrigin('ingestOrigin', ingestOrigin),
    ui: toOrigin('uiOrigin', uiOrigin),
  }
}

/** @returns the origin, which is HTTPS, or HTTP to this machine */
export function toOrigin(option: string, value: string | URL): string {
  const url = URL.canParse(value) ? new URL(value) : undefined
  const isLoopback = url !== undefined && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url && (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)) && url.href === `${url.origin}/`) {
    return url.origin
  }
  const wanted = 'must be an https origin such as "https://api.example.net", or http on this machine'
  throw new TypeError(`"${option}" ${wanted}, got ${JSON.stringify(String(value))}`)
}
