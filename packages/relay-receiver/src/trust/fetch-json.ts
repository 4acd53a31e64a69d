/**
 * Fetches a small JSON document.
 * In: its address. Out: the parsed value, or an Error that says what was answered.
 */
import type { Fetch } from '../ports.ts'
import { keepSignal } from '../request/keep-signal.ts'
import { readBody } from '../request/read-body.ts'

const maxBytes = 64 * 1024

export async function fetchJson(address: URL, fetch: Fetch, signal: AbortSignal): Promise<unknown> {
  const request = new Request(address, { headers: { accept: 'application/json' }, redirect: 'error', signal })
  const response = await fetch(keepSignal(request))
  if (!response.ok) throw new Error(`GET ${address} answered ${response.status}`)
  return JSON.parse(new TextDecoder().decode(await readBody(response, { maxBytes, signal })))
}
