/**
 * The proxy that the environment names for a URL: HTTPS_PROXY and NO_PROXY, as other programs read them.
 * In: a URL. Out: the proxy's URL. This machine itself is never asked through a proxy.
 */
import { getProxyForUrl } from 'proxy-from-env'
import { isLoopback } from '../../check-option.ts'
import { SettingError } from '../exit-codes.ts'

/** @throws SettingError when the variable is no URL of an HTTP proxy. */
export function findProxy(url: URL): URL | undefined {
  if (isLoopback(url.hostname)) return undefined
  const text = getProxyForUrl(url.href)
  if (text === '') return undefined
  const proxy = URL.parse(text)
  if (proxy && /^https?:$/.test(proxy.protocol)) return proxy
  throw new SettingError('"HTTPS_PROXY" must be the URL of an HTTP proxy, such as http://proxy.example:3128')
}

/** Without user and password. */
export function showProxy(proxy: URL): string {
  return `${proxy.protocol}//${proxy.host}`
}
