/**
 * The network of the command line: TLS 1.2 and up, a private CA if one is given, and connections that do not live long, so
 * that the service's address is resolved afresh (specification, Device authentication, 7).
 */
import { rootCertificates } from 'node:tls'
import { Agent, fetch as undiciFetch } from 'undici'
import type { Fetch } from '../ports.ts'

export function createTrustingFetch(ca: string | undefined): Fetch {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
  const dispatcher = new Agent({ clientTtl: 60_000, connect: { minVersion: 'TLSv1.2', ...trusted } })

  return async (request) => {
    // The package's fetch does not know the platform's Request, so it is given the parts.
    const { url, method, redirect, signal } = request
    const body = method === 'GET' ? null : await request.text()
    const headers = [...request.headers]
    const response = await undiciFetch(url, { method, headers, body, redirect, signal, dispatcher })
    // Two implementations of one standard: what the agent reads of a response is the same in both.
    return response as unknown as Response
  }
}
