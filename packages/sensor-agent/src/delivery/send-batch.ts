/**
 * Sends one report.
 * In: positions as JSON, and the token. Out: the outcome. It never throws.
 * See the document, submitPositionReport. Only an error in the document's format refuses positions; any other answer
 * comes from the network, and the batch is sent again.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { withDeadline } from '@posrep/kernel/with-deadline'
import type { Problem, paths, SensorState } from '@posrep/spec'
import { toUrl } from '../check-option.ts'
import { AgentError, type AgentErrorCode, toReason } from '../errors.ts'
import { type Answer, findDetail, findProblemOfService, readAnswer } from '../http/answer.ts'
import { toRetryAfterMs } from '../http/backoff.ts'
import { toUnreachable } from '../http/explain-failure.ts'
import { isPage, toForeignAnswer, toWrongAddress } from '../http/foreign-answer.ts'
import type { Clock, Fetch } from '../ports.ts'
import type { TokenSource } from '../tokens/token-source.ts'

export type Outcome =
  | { kind: 'accepted' }
  /**
   * Keep the batch and send it again. `code`: of the error, if it has one. `alarm` is set when retrying alone will not
   * help and a person must act.
   */
  | { kind: 'retry'; reason: string; code?: AgentErrorCode; retryAfterMs?: number | undefined; alarm?: AgentError }
  /** Split the batch and send the parts. `index` is the wrong position, if the service named one. */
  | { kind: 'split'; reason: string; status: number; pointer?: string; index?: number }
  /** Set the whole batch aside. */
  | { kind: 'refused'; reason: string; status: number; pointer?: string }

export interface SendBatchOptions {
  ingestOrigin: URL
  sensor: SensorState
  tokens: TokenSource
  clock: Clock
  fetch: Fetch
  deadlineMs: number
  /** Bodies of at least this size are compressed. */
  gzipFromBytes: number
  /** Receives the `Date` header of each answer, when the request was sent and when the answer came. */
  onDate(date: string | null, sentAtMs: number, receivedAtMs: number): void
  /** Cancels the request; the outcome is then `retry`. */
  signal: AbortSignal
}

export interface SendBatch {
  (positions: readonly string[]): Promise<Outcome>
  /** Bytes of a body without positions. */
  envelopeBytes: number
  /** Bytes of all bodies that were sent. */
  bytesSent(): number
}

interface Body {
  bytes: Uint8Array<ArrayBuffer>
  isCompressed: boolean
}

const reportsPath = '/v1/position-reports' satisfies keyof paths
const compress = promisify(gzip)

export function createSendBatch(options: SendBatchOptions): SendBatch {
  const { ingestOrigin, sensor, tokens, clock, fetch, deadlineMs, signal, onDate } = options
  const url = toUrl(ingestOrigin, reportsPath)
  const before = `{"sensor":${JSON.stringify(sensor)},"positions":[`
  const after = ']}'
  let { gzipFromBytes } = options
  let bytesSent = 0

  return Object.assign(sendBatch, { envelopeBytes: Buffer.byteLength(before + after), bytesSent: () => bytesSent })

  async function sendBatch(positions: readonly string[]): Promise<Outcome> {
    // The texts are joined and not serialised again, so that they are sent unchanged.
    const text = before + positions.join(',') + after
    try {
      const body = await toBody(text)
      const token = await tokenOf(tokens.get(signal))
      const answer = await post(body, token)
      if (answer.status === 415 && body.isCompressed) {
        // The service does not read gzip, so nothing is compressed from now on.
        gzipFromBytes = Number.POSITIVE_INFINITY
        return await sendBatch(positions)
      }
      if (answer.status !== 401) return toOutcome(answer, positions.length, clock.now())

      const again = await post(body, await tokenOf(tokens.refresh(token, signal)))
      if (again.status !== 401) return toOutcome(again, positions.length, clock.now())
      const reason = describe(again)
      return {
        kind: 'retry',
        reason,
        alarm: new AgentError('token_refused', `The service refuses a refreshed token: ${reason}`),
      }
    } catch (error) {
      return toRetry(error)
    }
  }

  async function toBody(text: string): Promise<Body> {
    const plain = new TextEncoder().encode(text)
    if (plain.length < gzipFromBytes) return { bytes: plain, isCompressed: false }
    // Level 1: a tenth larger than level 6 and three times as fast, which small devices notice.
    return { bytes: new Uint8Array(await compress(plain, { level: 1 })), isCompressed: true }
  }

  function post({ bytes, isCompressed }: Body, token: string): Promise<Answer> {
    return withDeadline({ clock, ms: deadlineMs, signal }, async (signal) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(isCompressed && { 'content-encoding': 'gzip' }),
      }
      const sentAtMs = clock.now()
      bytesSent += bytes.length
      const response = await fetch(
        new Request(url, { method: 'POST', headers, body: bytes, redirect: 'manual', signal }),
      )
      onDate(response.headers.get('date'), sentAtMs, clock.now())
      return await readAnswer(response)
    })
  }
}

function toOutcome(answer: Answer, positions: number, nowMs: number): Outcome {
  const { status, headers } = answer
  const reason = describe(answer)
  if (status === 202 && (answer.isEmpty || !isPage(headers))) return { kind: 'accepted' }
  const retryAfterMs = toRetryAfterMs(headers, nowMs)
  // What passes; a gateway may say it in place of the service.
  if (status === 408 || status === 429 || status >= 500) return { kind: 'retry', reason, retryAfterMs }
  // A smaller request may pass a proxy's limit.
  if (status === 413 && positions > 1) return { kind: 'split', reason, status }
  const problem = findProblemOfService(answer)
  if (!problem) return { kind: 'retry', reason, retryAfterMs, alarm: toForeignAnswer(answer, reason, 'ingest') }
  switch (status) {
    case 400:
    case 422:
      return toBadRequestOutcome(problem, reason)
    case 403:
    case 413:
    case 415:
      return { kind: 'refused', reason, status }
    default:
      return { kind: 'retry', reason, retryAfterMs, alarm: toWrongAddress(reason, 'ingest') }
  }
}

/**
 * Finds the wrong position. If every pointer is outside the positions, splitting would not help, so the batch is
 * refused.
 */
function toBadRequestOutcome({ status, errors = [] }: Problem, reason: string): Outcome {
  const pointers = errors.map(({ pointer }) => pointer)
  const index = pointers.map(toPositionIndex).find((found) => found !== undefined)
  const pointer = pointers.find((candidate) => toPositionIndex(candidate) !== undefined) ?? pointers[0]
  const where = pointer === undefined ? {} : { pointer }
  if (pointers.length > 0 && index === undefined && !pointers.includes('') && !pointers.includes('/positions')) {
    return { kind: 'refused', reason, status, ...where }
  }
  return { kind: 'split', reason, status, ...where, ...(index === undefined ? {} : { index }) }
}

function toPositionIndex(pointer: string): number | undefined {
  const index = /^\/positions\/(\d{1,4})(?:\/|$)/.exec(pointer)?.[1]
  return index === undefined ? undefined : Number(index)
}

/** Turns any other error of a token source into `token_unavailable`, so that it is not taken for a network failure. */
async function tokenOf(token: Promise<string>): Promise<string> {
  try {
    return await token
  } catch (cause) {
    if (cause instanceof AgentError) throw cause
    throw new AgentError('token_unavailable', `No device token: ${toReason(cause)}`, { cause })
  }
}

function toRetry(error: unknown): Outcome {
  if (!(error instanceof AgentError)) return toRetry(toUnreachable(reportsPath, error))
  const { message: reason, retryAfterMs } = error
  if (error.code === 'token_unavailable') return { kind: 'retry', reason, code: error.code, retryAfterMs }
  return { kind: 'retry', reason, alarm: error }
}

function describe({ status, body }: Answer): string {
  const detail = findDetail(body)
  return `${reportsPath} answered ${status}${detail ? `: ${detail}` : ''}`
}
