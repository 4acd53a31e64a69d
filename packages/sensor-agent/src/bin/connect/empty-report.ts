/**
 * Sends a report without positions, to see whether the service takes reports of this sensor. It stores nothing: the
 * service checks the token first, then the sensor, and refuses the empty list with 400.
 */

import { withDeadline } from '@posrep/kernel/with-deadline'
import type { paths } from '@posrep/spec'
import { toUrl } from '../../check-option.ts'
import { type Answer, findDetail, readAnswer } from '../../http/answer.ts'
import { systemClock } from '../../ports.ts'
import type { Service } from './service.ts'

const deadlineMs = 10_000
const reportsPath = '/v1/position-reports' satisfies keyof paths

export async function sendEmptyReport({ ingestOrigin, sensor, fetch }: Service, token: string): Promise<Answer> {
  const body = JSON.stringify({ sensor: { id: sensor }, positions: [] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body, redirect: 'manual' } as const
  return withDeadline({ clock: systemClock, ms: deadlineMs }, async (signal) =>
    readAnswer(await fetch(new Request(toUrl(ingestOrigin, reportsPath), { ...request, signal }))),
  )
}

/** In words: `the service answered 403: …`. */
export function describeAnswer({ status, body }: Answer): string {
  const detail = findDetail(body)
  return `the service answered ${status}${detail ? `: ${detail}` : ''}`
}
