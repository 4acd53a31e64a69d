/**
 * Calls the operations of the document as the signed-in user, inside this process. The portal reads and changes everything
 * this way, so that it can do nothing that another client could not.
 */
import type { OperationId } from '@posrep/spec'
import {
  vChangeRelayAddressBody,
  vCreatePairingRequestBody,
  vRenameDeviceBody,
  vUpdateRelayBody,
} from '@posrep/spec/validators'
import * as v from 'valibot'
import { ApiError } from '../../errors.ts'
import type { Answer, Handlers } from '../../http/operation/operation.ts'
import { type Asked, toOperationRequest } from '../../http/operation/operation-request.ts'
import type { UserPrincipal } from '../../http/operation/principal.ts'

type Good<K extends OperationId> = Extract<Answer<K>, { status: 200 | 201 | 202 | 204 }>['body']

/** Resolves with the body of the 2xx answer. @throws ApiError as the operation does. */
export type Call = <K extends OperationId>(operationId: K, asked: Asked<K>) => Promise<Good<K>>

/**
 * The document's schemas of what users type; for other clients the router checks them. `createSensorRequests` is not listed,
 * because it reports every bad line itself.
 */
const bodies: Partial<Record<OperationId, v.GenericSchema>> = {
  createPairingRequest: vCreatePairingRequestBody,
  renameDevice: vRenameDeviceBody,
  updateRelay: vUpdateRelayBody,
  changeRelayAddress: vChangeRelayAddressBody,
}

/** @param address The browser's: some limits count by it. */
export function createCall(handlers: Handlers, principal: UserPrincipal, address: string): Call {
  return async <K extends OperationId>(operationId: K, asked: Asked<K>) => {
    checkBody(bodies[operationId], asked.body)
    const answer = await handlers[operationId](toOperationRequest(asked, { principal, address }))
    // The operation throws what it refuses, so this is a 2xx answer.
    return answer.body as Good<K>
  }
}

const needs: Record<string, string> = {
  deviceName: 'A name has 1 to 100 characters, all on one line',
  url: 'An address is an https URL of at most 2,048 characters',
  deviceId: 'This is not the ID of a device',
}

function checkBody(schema: v.GenericSchema | undefined, body: unknown): void {
  if (schema === undefined) return
  const judged = v.safeParse(schema, body)
  if (judged.success) return
  const member = String(judged.issues[0].path?.at(-1)?.key ?? '')
  const detail = needs[member] ?? 'A field of the form is not valid'
  throw new ApiError('invalid_body', detail, { errors: [{ pointer: `/${member}`, code: 'schema', detail }] })
}
