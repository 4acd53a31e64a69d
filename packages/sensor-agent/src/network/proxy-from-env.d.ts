/** The package has no types of its own. */
declare module 'proxy-from-env' {
  /** The proxy that HTTPS_PROXY, HTTP_PROXY and NO_PROXY name for the URL, or an empty text. */
  export function getProxyForUrl(url: string | URL): string
}
