/**
 * Checks what the service says to this sensor: the token, and a report without positions.
 * In: the connection. Out: checks. The dry run stores nothing: the service checks the token first, then refuses the empty list.
 */
import type { paths } from '@posrep/spec'
import { toUrl } from '../../check-option.ts'
import { AgentError, toReason } from '../../errors.ts'
import { findDetail, findProblemOfService, readAnswer } from '../../http/answer.ts'
import { withDeadline } from '../../http/deadline.ts'
import { systemClock } from '../../ports.ts'
import type { Service } from '../connect/service.ts'
import { type Check, failed, ok, skipped } from './check.ts'

const deadlineMs = 10_000
const reportsPath = '/v1/position-reports' satisfies keyof paths

/** @param isPaired False for a headless sensor without an identity: asking for a token would wait for Pair. */
export async function checkService(service: Service, isPaired: boolean): Promise<Check[]> {
  if (!isPaired) {
    const advice = 'run posrep-agent pair, or give --client-id and --client-secret'
    return [failed('token', 'this sensor is not paired', advice), skipped('dry run', 'no token')]
  }
  try {
    const token = await withDeadline({ clock: systemClock, ms: deadlineMs }, (signal) => service.tokens.get(signal))
    return [ok('token', `the service accepts this machine as "${service.sensor}"`), await dryRun(service, token)]
  } catch (error) {
    const code = error instanceof AgentError ? error.code : 'unreachable'
    return [failed('token', toReason(error), toAdvice(code)), skipped('dry run', 'no token')]
  }
}

async function dryRun({ ingestOrigin, sensor, fetch }: Service, token: string): Promise<Check> {
  const body = JSON.stringify({ sensor: { id: sensor }, positions: [] })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  try {
    const request = { method: 'POST', headers, body, redirect: 'manual' } as const
    const answer = await withDeadline({ clock: systemClock, ms: deadlineMs }, async (signal) => {
      const response = await fetch(new Request(toUrl(ingestOrigin, reportsPath), { ...request, signal }))
      return readAnswer(response)
    })
    const { status } = answer
    const detail = findDetail(answer.body)
    const problem = findProblemOfService(answer)
    const pointers = problem?.errors?.map(({ pointer }) => pointer) ?? []
    const said = `the service answered ${status}${detail ? `: ${detail}` : ''}`
    // 400 for the empty list means that token, path and body were accepted.
    if (status === 400 && problem && (pointers.length === 0 || pointers.includes('/positions')))
      return ok('dry run', 'the service would take reports of this sensor')
    if (status === 401) return failed('dry run', said, 'check the clock of the service and the --auth address')
    if (status === 403) return failed('dry run', said, 'the token is for another sensor; check --sensor')
    if (!problem && status < 500)
      return failed(
        'dry run',
        `${said}, and not as the service does`,
        'a proxy or captive portal answers; check --ingest',
      )
    return failed('dry run', said, 'check that --ingest is the base address of the ingest')
  } catch (error) {
    return failed('dry run', toReason(error), 'the service does not answer; check that it runs')
  }
}

function toAdvice(code: string): string {
  switch (code) {
    case 'credentials_refused':
      return 'check --client-id, --client-secret and that the sensor is registered'
    case 'identity_cloned':
      return 'this identity was made on another machine: use --adopt to move it here, or pair again'
    case 'identity_damaged':
    case 'pairing_lost':
      return 'run posrep-agent pair again'
    default:
      return 'check --auth, and that the identity provider runs'
  }
}
