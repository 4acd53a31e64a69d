/**
 * Forwards a message to a local receiver.
 * In: the message as it came. Out: the receiver's response, or 502 or 504 if there is none, so that the service sends
 * the message again.
 */

import { keepSignal } from '@posrep/kernel/keep-signal'
import { systemFetch } from '../ports.ts'
import { readBody } from '../request/read-body.ts'
import { toNoResponse } from '../trust/no-response.ts'
import type { CapturedMessage } from './captured-message.ts'

export interface Forwarded {
  response: Response
  /** For the table: the status, or why there is none. */
  outcome: string
}

/** As long as the service waits. */
const timeoutMs = 10_000
const maxAnswerBytes = 64 * 1024

/** Headers of one connection, and those that fetch sets. */
const notForwarded = [
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'expect',
  'upgrade',
  'te',
]

export async function forward(target: URL, method: string, { headers, body }: CapturedMessage): Promise<Forwarded> {
  const kept = new Headers([...headers].filter(([name]) => !notForwarded.includes(name)))
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const init = { method, headers: kept, redirect: 'manual', signal, ...(hasBody && { body }) } as const
    const answer = await systemFetch(keepSignal(new Request(target, init)))
    const text = await readBody(answer, { maxBytes: maxAnswerBytes, signal })
    const answered = new Headers([...answer.headers].filter(([name]) => !notForwarded.includes(name)))
    answered.delete('content-encoding') // fetch has decoded it.
    const isEmpty = [204, 205, 304].includes(answer.status)
    const response = new Response(isEmpty ? null : text, { status: answer.status, headers: answered })
    return { response, outcome: String(answer.status) }
  } catch (error) {
    if (signal.aborted) return { response: new Response(null, { status: 504 }), outcome: 'no answer in 10 s' }
    const outcome = toNoResponse(error, 'NODE_EXTRA_CA_CERTS=FILE')
    return { response: new Response(null, { status: 502 }), outcome }
  }
}
