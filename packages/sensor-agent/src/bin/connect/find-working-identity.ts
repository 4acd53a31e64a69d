/**
 * Asks the service whether it accepts the identity that is in the state folder.
 * In: the service. Out: the sensor's URN, or undefined if there is no identity, or one that is no longer valid; that
 * one is forgotten.
 */
import { AgentError, toReason } from '../../errors.ts'
import { type Answer, findProblemOfService } from '../../http/answer.ts'
import type { PairedTokens } from '../../tokens/token-store.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { checkSensor } from './check-sensor.ts'
import { describeAnswer, sendEmptyReport } from './empty-report.ts'
import type { Service } from './service.ts'

/**
 * @throws CommandError when the identity is of another sensor, or cannot be checked; AgentError when it cannot be used
 * here.
 */
export async function findWorkingIdentity(service: Service, output: Output): Promise<string | undefined> {
  const stored = await readIdentity(service, output)
  if (!stored) return undefined
  const { sensorId } = stored
  checkSensor(sensorId, service.sensor)
  try {
    check(await ask(service), sensorId)
    return sensorId
  } catch (error) {
    if (error instanceof CommandError) throw error
    const code = error instanceof AgentError ? error.code : 'service_unreachable'
    if (code === 'pairing_lost') {
      output.event('revoked', `the service no longer accepts ${sensorId}; this machine must be paired again`)
      return undefined
    }
    if (code !== 'service_unreachable' && code !== 'token_unavailable' && code !== 'foreign_answer') throw error
    throw notChecked(sensorId, toReason(error), error)
  }
}

/** A damaged identity is of no use: the machine is paired again. */
async function readIdentity({ identity }: Service, output: Output): Promise<PairedTokens | undefined> {
  try {
    return await identity.read()
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'identity_damaged') throw error
    output.event(
      'damaged',
      'the identity of this machine is damaged; it is removed, and this machine must be paired again',
    )
    await identity.clear()
    return undefined
  }
}

async function ask(service: Service): Promise<Answer> {
  const token = await service.tokens.get()
  const answer = await sendEmptyReport(service, token)
  if (answer.status !== 401) return answer
  return sendEmptyReport(service, await service.tokens.refresh(token))
}

function check(answer: Answer, sensorId: string): void {
  const said = describeAnswer(answer)
  // A report without positions is refused by the service itself; any other answer says nothing about the identity.
  if (answer.status === 400 && findProblemOfService(answer)) return
  if (answer.status === 401) {
    const message = `The service refuses a refreshed token of ${sensorId} (${said}); check --ingest and --auth, and the service's clock`
    throw new CommandError('token_refused', message, exitCodes.identity)
  }
  throw notChecked(sensorId, said)
}

function notChecked(sensorId: string, reason: string, cause?: unknown): CommandError {
  const message = `This machine is paired as ${sensorId}; whether the service still accepts it cannot be checked: ${reason}`
  return new CommandError('not_checked', message, exitCodes.unreachable, { cause })
}
