/**
 * Calls the operations of the document as the signed-in user, inside this process. The portal reads and changes
 * everything this way, so that it can do nothing that another client could not.
 */
import type { OperationId } from '@posrep/spec'
import {
  vChangeDeviceBody,
  vChangeRelayAddressBody,
  vCreatePairingRequestBody,
  vUpdateRelayBody,
} from '@posrep/spec/validators'
import * as v from 'valibot'
import { ApiError } from '../../errors.ts'
import type { Connection } from '../../http/connection.ts'
import type { Answer, Handlers } from '../../http/operation/operation.ts'
import { type Asked, toOperationRequest } from '../../http/operation/operation-request.ts'
import type { UserPrincipal } from '../../http/operation/principal.ts'

type Good<K extends OperationId> = Extract<Answer<K>, { status: 200 | 201 | 202 | 204 }>['body']

/** Resolves with the body of the 2xx answer. @throws ApiError as the operation does. */
export type Call = <K extends OperationId>(operationId: K, asked: Asked<K>, further?: Further) => Promise<Good<K>>

/** What a request has besides the documented parameters. */
export interface Further {
  headers?: Record<string, string>
  /** Of an answer that is written as fast as the browser takes it. */
  connection?: Connection
  /** For an answer that goes on: rejects when the caller may no longer read. */
  checkToken?(): Promise<void>
}

/**
 * The document's schemas of what users type; for other clients the router checks them. `createSensorRequests` is not
 * listed, because it reports every bad line itself.
 */
const bodies: Partial<Record<OperationId, v.GenericSchema>> = {
  createPairingRequest: vCreatePairingRequestBody,
  changeDevice: vChangeDeviceBody,
  updateRelay: vUpdateRelayBody,
  changeRelayAddress: vChangeRelayAddressBody,
}

/** @param address The browser's: some limits count by it. */
export function createCall(handlers: Handlers, principal: UserPrincipal, address: string): Call {
  return async <K extends OperationId>(operationId: K, asked: Asked<K>, further: Further = {}) => {
    checkBody(bodies[operationId], asked.body)
    const answer = await handlers[operationId](toOperationRequest(asked, { principal, address, ...further }))
    // The operation throws what it refuses, so this is a 2xx answer.
    return answer.body as Good<K>
  }
}

const needs: Record<string, string> = {
  deviceName: 'A name has 1 to 100 characters, all on one line',
  url: 'An address is an https URL of at most 2,048 characters',
  tags: 'A device has at most 10 tags',
  deviceId: 'This is not the ID of a device',
}

const needsOfItem: Record<string, string> = {
  tags: 'A tag has at most 32 characters, without spaces and commas',
}

function checkBody(schema: v.GenericSchema | undefined, body: unknown): void {
  if (schema === undefined) return
  const judged = v.safeParse(schema, body)
  if (judged.success) return
  const path = judged.issues[0].path?.map(({ key }) => String(key)) ?? []
  const member = path[0] ?? ''
  const detail = (path.length > 1 ? needsOfItem[member] : needs[member]) ?? 'A field of the form is not valid'
  throw new ApiError('invalid_body', detail, { errors: [{ pointer: `/${member}`, code: 'schema', detail }] })
}
