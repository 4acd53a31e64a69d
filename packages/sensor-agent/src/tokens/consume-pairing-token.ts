/**
 * Polls once whether a user has pressed Pair for the sensor.
 * In: the local ID. Out: the tokens, or `pending`, `wait` or `denied` with a reason. See the specification,
 * consume-token.
 */

import { withDeadline } from '@posrep/kernel/with-deadline'
import type { Operations, paths } from '@posrep/spec'
import { vPairingToken } from '@posrep/spec/validators'
import { toUrl } from '../check-option.ts'
import type { AgentError } from '../errors.ts'
import { type Answer, findDetail, findProblemOfService, findValid, readAnswer } from '../http/answer.ts'
import { toRetryAfterMs } from '../http/backoff.ts'
import { toUnreachable } from '../http/explain-failure.ts'
import { toForeignAnswer, toWrongAddress } from '../http/foreign-answer.ts'
import type { Clock, Fetch } from '../ports.ts'
import { userAgent } from '../version.ts'
import type { PairedTokens } from './token-store.ts'

export type PairingAnswer =
  | { kind: 'paired'; tokens: PairedTokens }
  | { kind: 'pending'; reason: string }
  | { kind: 'wait'; afterMs: number; reason: string }
  | { kind: 'denied'; reason: string }

export interface ConsumeOptions {
  ingestOrigin: URL
  clock: Clock
  fetch: Fetch
  deadlineMs: number
}

const consumePath = '/v1/pairing-tokens/consume-token' satisfies keyof paths
const idParameter = 'clientUniqueId' satisfies keyof Operations['consumePairingToken']['parameters']['query']

// For an error response without Retry-After.
const defaultWaitMs = 5_000

export async function consumePairingToken(
  localId: string,
  { ingestOrigin, clock, fetch, deadlineMs }: ConsumeOptions,
): Promise<PairingAnswer> {
  const url = toUrl(ingestOrigin, consumePath)
  url.searchParams.set(idParameter, localId)
  try {
    return await withDeadline({ clock, ms: deadlineMs }, async (signal) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': userAgent }
      const response = await fetch(new Request(url, { method: 'POST', headers, redirect: 'manual', signal }))
      return toPairingAnswer(await readAnswer(response), clock.now())
    })
  } catch (cause) {
    return { kind: 'pending', reason: toUnreachable(consumePath, cause).message }
  }
}

function toPairingAnswer(answer: Answer, nowMs: number): PairingAnswer {
  const { status, headers, body } = answer
  const paired = status === 200 ? findValid(vPairingToken, body) : undefined
  if (paired) {
    const { accessToken, refreshToken, sensorId, expiresAt } = paired
    const tokens = { accessToken, refreshToken, sensorId, issuedAtMs: nowMs, expiresAtMs: Date.parse(expiresAt) }
    return { kind: 'paired', tokens }
  }

  const detail = findDetail(body)
  const reason = `${consumePath} answered ${status}${detail ? `: ${detail}` : ''}`
  if (isPending(answer)) return { kind: 'pending', reason }
  const problem = findProblemOfService(answer)
  if (status === 400 && problem) return { kind: 'denied', reason }
  const foreign = findForeignAnswer(answer)
  if (foreign) return { kind: 'wait', afterMs: defaultWaitMs, reason: foreign.message }
  return { kind: 'wait', afterMs: toRetryAfterMs(headers, nowMs) ?? defaultWaitMs, reason }
}

/** Nobody has pressed Pair yet. A service says so in JSON; that it has no such path, it says with another code. */
function isPending(answer: Answer): boolean {
  const isJson = /^application\/(?:problem\+)?json/i.test(answer.headers.get('content-type') ?? '')
  return answer.status === 404 && isJson && findProblemOfService(answer)?.code !== 'not_found'
}

/** An alarm for an answer that is not the service's, or not that of the ingest; undefined for what passes. */
export function findForeignAnswer(answer: Answer): AgentError | undefined {
  const { status, body } = answer
  if (isPending(answer) || status === 408 || status === 429 || status >= 500) return undefined
  if (status === 200 && findValid(vPairingToken, body)) return undefined
  const detail = findDetail(body)
  const reason = `${consumePath} answered ${status}${detail ? `: ${detail}` : ''}`
  return findProblemOfService(answer) ? toWrongAddress(reason, 'ingest') : toForeignAnswer(answer, reason, 'ingest')
}
