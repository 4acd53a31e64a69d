/**
 * The HTTP address of an aircraft.json.
 * In: a URL, which may have a user and a password. Out: its text, or an error that says what was answered and what to
 * do. What is shown of the address has neither password nor query, which may be a key.
 */

import { withDeadline } from '@posrep/kernel/with-deadline'
import { toRetryAfterMs } from '../../http/backoff.ts'
import { userAgent } from '../../version.ts'
import { withoutByteOrderMark } from '../fields.ts'
import type { Sink } from '../source.ts'

export interface AircraftJsonAddress {
  url: URL
  shown: string
  headers: Record<string, string>
}

const deadlineMs = 5_000
/** A receiver or aggregator that asks to try later without saying when. */
const laterMs = 10_000

/** Ask again after this time. */
export class TryLater extends Error {
  override readonly name = 'TryLater'
  readonly afterMs: number

  constructor(message: string, afterMs: number) {
    super(message)
    this.afterMs = afterMs
  }
}

/** Undefined for the path of a file. */
export function findAddress(from: string | URL, login: string | undefined): AircraftJsonAddress | undefined {
  const url = URL.parse(String(from))
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const inAddress =
    url.username === '' && url.password === '' ? undefined : `${decode(url.username)}:${decode(url.password)}`
  const secret = login ?? inAddress
  url.username = ''
  url.password = ''
  const shown = `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`
  const authorization: Record<string, string> =
    secret === undefined ? {} : { authorization: `Basic ${Buffer.from(secret).toString('base64')}` }
  return { url, shown, headers: { 'user-agent': userAgent, accept: 'application/json', ...authorization } }
}

export async function readAddress({ url, headers }: AircraftJsonAddress, sink: Sink): Promise<string> {
  const { clock, fetch, signal } = sink
  return withDeadline({ clock, ms: deadlineMs, signal }, async (signal) => {
    const response = await fetch(new Request(url, { headers, signal, redirect: 'manual' }))
    const body = await response.text()
    if (response.status === 200) return body
    throw toError(response, url, headers.authorization !== undefined, clock.now())
  })
}

function toError({ status, headers }: Response, url: URL, hasLogin: boolean, nowMs: number): Error {
  const answered = `it answered ${status}`
  if (status === 429 || status === 503) return new TryLater(answered, toRetryAfterMs(headers, nowMs) ?? laterMs)
  if (status >= 300 && status < 400)
    return new Error(`${answered}: it moved${toPlace(headers.get('location'), url)}; give that address`)
  if (status === 401 || status === 403)
    return new Error(
      `${answered}: ${hasLogin ? 'it does not take the user and password' : 'it asks for a user and a password'}; see --readsb-login`,
    )
  if (status === 404)
    return new Error(`${answered}: there is no such file; check the path, such as /data/aircraft.json`)
  return new Error(answered)
}

/** Without a password or a query. */
function toPlace(location: string | null, base: URL): string {
  const moved = location === null ? null : URL.parse(location, base.href)
  const place = moved ? findAddress(moved, undefined)?.shown : undefined
  return place === undefined ? '' : ` to ${place}`
}

/** The value, or an Error that says what the text is. */
export function parseSnapshot(text: string): unknown {
  const json = withoutByteOrderMark(text).trim()
  try {
    return JSON.parse(json)
  } catch {
    // The error of JSON.parse names a place that differs from one answer to the next.
    if (json === '') return new Error('it is empty')
    if (text.startsWith('\x1f')) return new Error('it is compressed (gzip); give the address of the plain file')
    if (json.startsWith('<')) return new Error('it is a web page, not JSON; check the address')
    if (/^[{[]/.test(json) && !/[}\]]$/.test(json)) return new Error('it was cut off: the JSON does not end')
    if (/[:,[]\s*[+-]?(?:nan|inf)/i.test(json)) return new Error('it is not JSON: a number is NaN or Infinity')
    if (/,\s*[}\]]/.test(json)) return new Error('it is not JSON: there is a comma before a closing bracket')
    return new Error('it is not JSON')
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign of its own.
    return text
  }
}
