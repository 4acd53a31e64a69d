/** Parses `--air-cot`. In: `ACCOUNT=tls://HOST:PORT`, several with commas. Out: the destinations. */
export interface CotDestination {
  accountId: string
  host: string
  port: number
  isTls: boolean
}

/** @throws Error whose message completes "`--air-cot` must be …". */
export function readCotDestinations(given: string): CotDestination[] {
  return given.split(',').map((part) => {
    const [, accountId, scheme, authority] = /^([^=\s]+)=(tcp|tls):\/\/([^/?#@]+)$/.exec(part.trim()) ?? []
    // The host has the rules of web addresses, and every port is written out.
    const url = URL.canParse(`ws://${authority}`) ? new URL(`ws://${authority}`) : undefined
    const port = Number(/:(\d{1,5})$/.exec(authority ?? '')?.[1])
    if (accountId === undefined || !url || !(port >= 1)) {
      throw new Error('must be destinations such as "ACCOUNT=tls://tak.example.com:8089"; tcp:// is not encrypted')
    }
    return { accountId, host: url.hostname.replace(/^\[|\]$/g, ''), port, isTls: scheme === 'tls' }
  })
}
