/**
 * Asks a relay address for consent (specification, "Events": `validate`).
 * In: the address and the device. Out: `undefined` when it returned the code, otherwise the reason that the user sees.
 */
import { randomUUID } from 'node:crypto'
import type { RelayValidationMessage } from '@posrep/spec'
import { isSameSecret } from '../../secrets.ts'
import { maxEchoBytes } from '../sender/exchange.ts'
import { describeStatus } from '../sender/outcome.ts'
import { RelayFailure } from '../sender/relay-failure.ts'
import type { SendRelayMessage } from '../sender/send-relay-message.ts'
import { toWebhookId } from '../sender/webhook-id.ts'

export async function validateRelay(url: URL, deviceUrn: string, send: SendRelayMessage): Promise<string | undefined> {
  const validationCode = randomUUID()
  const message: RelayValidationMessage = { name: 'validate', version: '1.0', validationCode }
  try {
    const { status, body } = await send(url, {
      id: toWebhookId(deviceUrn, validationCode),
      message: JSON.stringify(message),
      needsBody: true,
    })
    if (status < 200 || status > 299) return `The relay answered the validation with ${describeStatus(status)}`
    if (body.length > maxEchoBytes || !isEcho(body.toString('utf8').trim(), validationCode)) {
      return 'The relay answered the validation without the validation code'
    }
    return undefined
  } catch (error) {
    if (error instanceof RelayFailure) return error.message
    throw error
  }
}

/**
 * The code as text, as a JSON string, or as the only member `validationCode` or `validationResponse` of a JSON object.
 */
function isEcho(text: string, code: string): boolean {
  return [text, fromJson(text)].some((candidate) => candidate !== undefined && isSameSecret(candidate.trim(), code))
}

function fromJson(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
    const [[name, member] = [], ...others] = Object.entries(value ?? {})
    const named = name === 'validationCode' || name === 'validationResponse'
    return named && others.length === 0 && typeof member === 'string' ? member : undefined
  } catch {
    // Not JSON: the text itself may be the code.
    return undefined
  }
}
