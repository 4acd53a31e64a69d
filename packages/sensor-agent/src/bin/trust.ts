/**
 * The command's fetch: TLS 1.2 or newer, an optional private CA, and connections that are closed after a minute, so that the
 * service's host name is resolved again (specification, Device authentication, 7).
 */
import { rootCertificates } from 'node:tls'
import { Agent, fetch as undiciFetch } from 'undici'
import type { Fetch } from '../ports.ts'

export function createTrustingFetch(ca: string | undefined): Fetch {
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
  const dispatcher = new Agent({ clientTtl: 60_000, connect: { minVersion: 'TLSv1.2', ...trusted } })

  return async (request) => {
    // undici's fetch does not accept the platform's Request object, so its parts are passed.
    const { url, method, redirect, signal } = request
    const body = method === 'GET' ? null : await request.text()
    const headers = [...request.headers]
    const response = await undiciFetch(url, { method, headers, body, redirect, signal, dispatcher })
    // The members of a response that the agent reads are the same in both implementations.
    return response as unknown as Response
  }
}
