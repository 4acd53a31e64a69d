/**
 * Parses `--air-cot`. In: `ACCOUNT=tls://HOST:PORT`, several with commas; `?ca=FILE&cert=FILE&key=FILE` names PEM files
 * for TLS.
 * Out: the destinations.
 */
export interface CotDestination {
  accountId: string
  host: string
  port: number
  isTls: boolean
  /**
   * Names of PEM files: the authority that signed the server's certificate; the certificate of this side, with its key.
   */
  files: { ca?: string; cert?: string; key?: string }
}

const fileKeys = ['ca', 'cert', 'key']

/** @throws Error whose message completes "`--air-cot` must be …". */
export function readCotDestinations(given: string): CotDestination[] {
  return given.split(',').map((part) => {
    const [, accountId, scheme, authority, query = ''] =
      /^([^=\s]+)=(tcp|tls):\/\/([^/?#@]+)(?:\?([^#]*))?$/.exec(part.trim()) ?? []
    // The host has the rules of web addresses, and every port is written out.
    const url = URL.canParse(`ws://${authority}`) ? new URL(`ws://${authority}`) : undefined
    const port = Number(/:(\d{1,5})$/.exec(authority ?? '')?.[1])
    if (accountId === undefined || !url || !(port >= 1)) {
      throw new Error('must be destinations such as "ACCOUNT=tls://tak.example.com:8089"; tcp:// is not encrypted')
    }
    const isTls = scheme === 'tls'
    return { accountId, host: url.hostname.replace(/^\[|\]$/g, ''), port, isTls, files: toFiles(query, isTls) }
  })
}

function toFiles(query: string, isTls: boolean): CotDestination['files'] {
  const files = Object.fromEntries(new URLSearchParams(query))
  const isKnown = Object.entries(files).every(([key, file]) => fileKeys.includes(key) && file !== '')
  const isWhole = (files.cert === undefined) === (files.key === undefined)
  if (!isKnown || !isWhole || (query !== '' && !isTls)) {
    throw new Error('must be destinations with "?ca=FILE&cert=FILE&key=FILE" at most, for tls:// only, cert with key')
  }
  return files
}
