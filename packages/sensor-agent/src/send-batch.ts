/**
 * One report over one hop.
 * In: positions as JSON, and the token. Out: what became of it, in the vocabulary of every hop. It never throws.
 * See the document, submitPositionReport; every status that is not named there is the network's, not the service's: retry.
 */
import type { paths, SensorState } from '@posrep/spec'
import { findDetail, findProblem, readJson } from './answer.ts'
import { toRetryAfterMs } from './backoff.ts'
import { toUrl } from './check-option.ts'
import { withDeadline } from './deadline.ts'
import { AgentError, toReason } from './errors.ts'
import type { Clock, Fetch } from './ports.ts'
import type { TokenSource } from './tokens/token-source.ts'

export type Outcome =
  | { kind: 'accepted' }
  /** Kept and tried again. `alarm` is set when waiting alone will not help: a person has to look. */
  | { kind: 'retry'; reason: string; retryAfterMs?: number | undefined; alarm?: AgentError }
  /** Split and tried again: `at` is the position that the service named, if it named one. */
  | { kind: 'split'; reason: string; status: number; pointer?: string; at?: number }
  /** Set aside, all of it. */
  | { kind: 'refused'; reason: string; status: number; pointer?: string }

export interface HopOptions {
  ingestOrigin: URL
  sensor: SensorState
  tokens: TokenSource
  clock: Clock
  fetch: Fetch
  deadlineMs: number
  /** Ends the request at once; the outcome is then `retry`. */
  signal: AbortSignal
}

export type SendBatch = (positions: readonly string[]) => Promise<Outcome>

const reportsPath = '/v1/position-reports' satisfies keyof paths

export function createSendBatch(options: HopOptions): SendBatch & { envelopeBytes: number } {
  const { ingestOrigin, sensor, tokens, clock, fetch, deadlineMs, signal } = options
  const url = toUrl(ingestOrigin, reportsPath)
  const before = `{"sensor":${JSON.stringify(sensor)},"positions":[`
  const after = ']}'

  return Object.assign(sendBatch, { envelopeBytes: Buffer.byteLength(before + after) })

  async function sendBatch(positions: readonly string[]): Promise<Outcome> {
    // Joined, not serialised again: what is sent is what was reported.
    const body = before + positions.join(',') + after
    try {
      const token = await heldBy(tokens.get(signal))
      const answer = await post(body, token)
      if (answer.status !== 401) return toOutcome(answer, clock.now())

      const again = await post(body, await heldBy(tokens.refresh(token, signal)))
      if (again.status !== 401) return toOutcome(again, clock.now())
      const reason = said(again)
      return { kind: 'retry', reason, alarm: new AgentError('token_refused', `A fresh token is refused: ${reason}`) }
    } catch (error) {
      return toRetry(error)
    }
  }

  function post(body: string, token: string): Promise<Answer> {
    return withDeadline({ clock, ms: deadlineMs, signal }, async (signal) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(new Request(url, { method: 'POST', headers, body, redirect: 'manual', signal }))
      return { status: response.status, headers: response.headers, body: await readJson(response) }
    })
  }
}

interface Answer {
  status: number
  headers: Headers
  body: unknown
}

function toOutcome(answer: Answer, nowMs: number): Outcome {
  const { status, headers, body } = answer
  const reason = said(answer)
  switch (status) {
    case 202:
      return { kind: 'accepted' }
    case 413:
      return { kind: 'split', reason, status }
    case 400:
    case 422:
      return judge(status, body, reason)
    case 403:
    case 415:
      return { kind: 'refused', reason, status }
    default:
      return { kind: 'retry', reason, retryAfterMs: toRetryAfterMs(headers.get('retry-after'), nowMs) }
  }
}

/** A wrong body: which position is it? If the service says that none of them is, splitting would not find one. */
function judge(status: number, body: unknown, reason: string): Outcome {
  const pointers = findProblem(body)?.errors?.map(({ pointer }) => pointer) ?? []
  const at = pointers.map(toPositionAt).find((index) => index !== undefined)
  const pointer = pointers.find((candidate) => toPositionAt(candidate) !== undefined) ?? pointers[0]
  const where = pointer === undefined ? {} : { pointer }
  if (pointers.length > 0 && at === undefined && !pointers.includes('') && !pointers.includes('/positions')) {
    return { kind: 'refused', reason, status, ...where }
  }
  return { kind: 'split', reason, status, ...where, ...(at === undefined ? {} : { at }) }
}

function toPositionAt(pointer: string): number | undefined {
  const index = /^\/positions\/(\d{1,4})(?:\/|$)/.exec(pointer)?.[1]
  return index === undefined ? undefined : Number(index)
}

/** Whatever a token source throws is about tokens, not about the way to the service. */
async function heldBy(token: Promise<string>): Promise<string> {
  try {
    return await token
  } catch (cause) {
    if (cause instanceof AgentError) throw cause
    throw new AgentError('token_unavailable', `No device token: ${toReason(cause)}`, { cause })
  }
}

function toRetry(error: unknown): Outcome {
  if (!(error instanceof AgentError))
    return { kind: 'retry', reason: `${reportsPath} cannot be reached: ${toReason(error)}` }
  const { message: reason, retryAfterMs } = error
  if (error.code === 'token_unavailable') return { kind: 'retry', reason, retryAfterMs }
  return { kind: 'retry', reason, alarm: error }
}

function said({ status, body }: Answer): string {
  const detail = findDetail(body)
  return `${reportsPath} answered ${status}${detail ? `: ${detail}` : ''}`
}
