/**
 * Checks what the service says to this sensor: the token, and a report without positions.
 * In: the connection. Out: checks. The dry run stores nothing.
 */
import { access } from 'node:fs/promises'
import { withDeadline } from '@posrep/kernel/with-deadline'
import { AgentError, toReason } from '../../errors.ts'
import { findProblemOfService } from '../../http/answer.ts'
import { toForeignAnswer } from '../../http/foreign-answer.ts'
import { type Clock, systemClock } from '../../ports.ts'
import { checkSensor } from '../connect/check-sensor.ts'
import { describeAnswer, sendEmptyReport } from '../connect/empty-report.ts'
import type { Service } from '../connect/service.ts'
import { CommandError } from '../exit-codes.ts'
import { type Check, failed, inTime, ok, skipped } from './check.ts'

const deadlineMs = 10_000
const noAnswer = 'the service does not answer; check that it runs'

export async function checkService(service: Service, clock: Clock = systemClock): Promise<Check[]> {
  const found = await inTime('token', toAdvice('unreachable'), () => findToken(service, clock), clock)
  if (typeof found !== 'string') return [found, skipped('dry run', 'no token')]
  return [
    ok('token', `the service accepts this machine as "${service.sensor}"`),
    await inTime('dry run', noAnswer, () => dryRun(service, found), clock),
  ]
}

async function findToken(service: Service, clock: Clock): Promise<string | Check> {
  // Asking for a token would wait for Pair.
  if (service.pairing && !(await exists(service.state.identity)))
    return failed(
      'token',
      'this sensor is not paired',
      'run posrep-agent pair, or give --client-id and --client-secret',
    )
  try {
    const token = await withDeadline({ clock, ms: deadlineMs }, (signal) => service.tokens.get(signal))
    const stored = service.pairing && (await service.identity.read())
    if (stored) checkSensor(stored.sensorId, service.sensor)
    return token
  } catch (error) {
    const code = error instanceof AgentError || error instanceof CommandError ? error.code : 'unreachable'
    return failed('token', toReason(error), toAdvice(code))
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  )
}

async function dryRun(service: Service, token: string): Promise<Check> {
  try {
    const answer = await sendEmptyReport(service, token)
    const { status } = answer
    const problem = findProblemOfService(answer)
    const pointers = problem?.errors?.map(({ pointer }) => pointer) ?? []
    const said = describeAnswer(answer)
    // 400 for the empty list means that token, path and body were accepted.
    if (status === 400 && problem && (pointers.length === 0 || pointers.includes('/positions')))
      return ok('dry run', 'the service would take reports of this sensor')
    if (status === 401) return failed('dry run', said, 'check the clock of the service and the --auth address')
    if (status === 403) return failed('dry run', said, 'the token is for another sensor; check --sensor')
    if (!problem && status < 500)
      return failed(
        'dry run',
        toForeignAnswer(answer, said, 'ingest').message,
        'check --ingest, and what is between this machine and the service',
      )
    return failed('dry run', said, 'check that --ingest is the base address of the ingest')
  } catch (error) {
    return failed('dry run', toReason(error), noAnswer)
  }
}

function toAdvice(code: string): string {
  switch (code) {
    case 'credentials_refused':
      return 'check --client-id, --client-secret and that the sensor is registered'
    case 'identity_cloned':
      return 'this identity was made on another machine: use --adopt to move it here, or pair again'
    case 'foreign_answer':
      return 'check --auth, and what is between this machine and the identity provider'
    case 'identity_damaged':
    case 'pairing_lost':
      return 'run posrep-agent pair again'
    case 'other_identity':
      return 'check --sensor'
    default:
      return 'check --auth, and that the identity provider runs'
  }
}
