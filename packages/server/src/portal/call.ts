/**
 * How the portal asks for what it shows: the operations of the document, as the signed-in user, without the way over the
 * network. So it can do nothing that another client could not.
 */
import type { OperationId } from '@posrep/spec'
import { vCreatePairingRequestBody, vRenameDeviceBody, vUpdateRelayBody } from '@posrep/spec/validators'
import * as v from 'valibot'
import { ApiError } from '../errors.ts'
import type { Answer, Handler, Handlers, OperationRequest } from '../http/operation.ts'
import type { UserPrincipal } from '../http/principal.ts'

type Good<K extends OperationId> = Extract<Answer<K>, { status: 200 | 201 | 202 | 204 }>['body']

export type Asked<K extends OperationId> = Partial<Pick<OperationRequest<K>, 'path' | 'query' | 'body'>>

/** Resolves with the body of the good answer. @throws ApiError as the operation refuses. */
export type Call = <K extends OperationId>(operationId: K, asked?: Asked<K>) => Promise<Good<K>>

/** The document's judgement of what was typed; the router gives it to everybody else. Requests for sensors name every bad line themselves. */
const bodies: Partial<Record<OperationId, v.GenericSchema>> = {
  createPairingRequest: vCreatePairingRequestBody,
  renameDevice: vRenameDeviceBody,
  updateRelay: vUpdateRelayBody,
}

/** @param address The browser's, for limits that count by caller. */
export function createCall(handlers: Handlers, principal: UserPrincipal, address: string): Call {
  return async <K extends OperationId>(operationId: K, asked: Asked<K> = {}) => {
    checkBody(bodies[operationId], asked.body)
    const rest = { principal, address, text: '', search: '', headers: {} }
    const request = { path: {}, query: {}, body: undefined, ...asked, ...rest } as unknown as OperationRequest<K>
    // The table has the handler of this very operation; TypeScript loses sight of that behind the index.
    const handler = handlers[operationId] as unknown as Handler<K>
    const answer = await handler(request)
    // Refusals are thrown, so what is answered is a good answer.
    return answer.body as Good<K>
  }
}

const needs: Record<string, string> = {
  deviceName: 'A name has 1 to 100 characters, all on one line',
  url: 'An address is an https URL of at most 2,048 characters',
  deviceId: 'This is no ID of a device',
}

function checkBody(schema: v.GenericSchema | undefined, body: unknown): void {
  if (schema === undefined) return
  const judged = v.safeParse(schema, body)
  if (judged.success) return
  const member = String(judged.issues[0].path?.at(-1)?.key ?? '')
  const detail = needs[member] ?? 'The form is not filled in as it has to be'
  throw new ApiError('invalid_body', detail, { errors: [{ pointer: `/${member}`, code: 'schema', detail }] })
}
