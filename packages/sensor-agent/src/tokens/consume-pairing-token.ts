/**
 * Polls once whether a user has pressed Pair for the sensor.
 * In: the local ID. Out: the tokens, or `pending`, `wait` or `denied` with a reason. See the specification, consume-token.
 */
import type { Operations, paths } from '@posrep/spec'
import { vPairingToken } from '@posrep/spec/validators'
import { toUrl } from '../check-option.ts'
import { type Answer, findDetail, findProblemOfService, findValid, readAnswer } from '../http/answer.ts'
import { toRetryAfterMs } from '../http/backoff.ts'
import { withDeadline } from '../http/deadline.ts'
import { toUnreachable } from '../http/explain-failure.ts'
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
  if (status === 404) return { kind: 'pending', reason }
  if (status === 400 && findProblemOfService(answer)) return { kind: 'denied', reason }
  return { kind: 'wait', afterMs: toRetryAfterMs(headers.get('retry-after'), nowMs) ?? defaultWaitMs, reason }
}
