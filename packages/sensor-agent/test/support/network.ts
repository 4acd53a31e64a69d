/** A fake network that records the requests. */
import type { PositionData } from '@posrep/spec'
import type { Fetch } from '../../src/ports.ts'

export interface Seen {
  url: string
  method: string
  headers: Headers
  body: string
  /** Ids of the positions, if the request is a report. */
  ids: string[]
  signal: AbortSignal
  redirect: Request['redirect']
}

export type Answer = (seen: Seen, index: number) => Response | Promise<Response>

export interface Network {
  fetch: Fetch
  seen: Seen[]
  /** Ids of the positions of every report, in the order of the requests. */
  reports(): string[][]
}

export function aNetwork(answer: Answer = () => accepted()): Network {
  const seen: Seen[] = []
  return {
    seen,
    reports: () => seen.filter(({ ids }) => ids.length > 0).map(({ ids }) => ids),
    fetch: async (request) => {
      const { url, method, headers, signal, redirect } = request
      const body = await request.text()
      const one = { url, method, headers, body, ids: toIds(body), signal, redirect }
      seen.push(one)
      return answer(one, seen.length - 1)
    },
  }
}

export function accepted(): Response {
  return new Response('', { status: 202 })
}

export function problem(status: number, rest: object = {}, headers: Record<string, string> = {}): Response {
  const body = { type: `urn:problem:test_${status}`, title: `Test ${status}`, status, code: `test_${status}`, ...rest }
  return Response.json(body, { status, headers: { 'content-type': 'application/problem+json', ...headers } })
}

/** A 400 whose pointer names the position. */
export function wrongAt(index: number, pointer = '/position/lat', detail = 'must be -90 to 90'): Response {
  return problem(400, { detail, errors: [{ pointer: `/positions/${index}${pointer}`, code: 'maximum', detail }] })
}

function toIds(body: string): string[] {
  if (!body.startsWith('{')) return []
  const { positions = [] } = JSON.parse(body) as { positions?: PositionData[] }
  return positions.map(({ id }) => id)
}
