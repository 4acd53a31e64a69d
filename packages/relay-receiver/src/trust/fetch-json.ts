/**
 * Fetches a small JSON document.
 * In: its address. Out: the parsed value, or an Error that says what was answered.
 * Redirects are looked at instead of forbidden: Cloudflare's runtime has no `redirect: 'error'`.
 */

import { keepSignal } from '@posrep/kernel/keep-signal'
import type { Fetch } from '../ports.ts'
import { readBody } from '../request/read-body.ts'
import { toNoResponse } from './no-response.ts'

const maxBytes = 64 * 1024

const caAdvice =
  'NODE_EXTRA_CA_CERTS=FILE when Node starts, or "--ca FILE" of posrep-relay; a development server prints the path'

export async function fetchJson(address: URL, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const request = new Request(address, { headers: { accept: 'application/json' }, redirect: 'manual', signal })
  const response = await fetch(keepSignal(request)).catch((cause: unknown) => {
    throw new Error(`GET ${address} ${toNoResponse(cause, caAdvice)}`, { cause })
  })
  if (isRedirect(response)) throw new Error(`GET ${address} answered with a redirect, which is not followed`)
  if (!response.ok) throw new Error(`GET ${address} answered ${response.status}`)
  return JSON.parse(new TextDecoder().decode(await readBody(response, { maxBytes, signal })))
}

/** The Fetch standard hides the status, and browsers do; servers show it. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status <= 399)
}
