/**
 * Whether a request to a server on this machine asks for another host name: that of a web page whose name leads here
 * (DNS rebinding).
 * In: the address that the server listens on, the request's `Host`. A server that others reach has names that it does
 * not know.
 */
import { isLoopback } from '../check-option.ts'

export function isMisdirected(listensOn: string, host: string | undefined): boolean {
  return isLoopback(listensOn) && !isLoopback(URL.parse(`http://${host}`)?.hostname ?? '')
}
