/**
 * Makes the request of an operation, for `serve-operation.ts` and for callers in this process: the portal, the demo,
 * tests.
 * In: parameters and body, typed by the document but not checked against it, and the caller. Out: the handler's
 * argument.
 */
import type { OperationId, operations } from '@posrep/spec'
import { noConnection } from '../connection.ts'
import type { OperationRequest } from './operation.ts'

type Given<K extends OperationId> = Pick<OperationRequest<K>, 'path' | 'query' | 'body'>

/** The documented parameters and body of the operation; required ones must be given. */
export type Asked<K extends OperationId> = Pick<operations[K]['parameters'], 'path' | 'query'> &
  (operations[K] extends { requestBody: object } ? Pick<Given<K>, 'body'> : { body?: never })

type Caller = Partial<Omit<OperationRequest<OperationId>, 'path' | 'query' | 'body'>>

export function toOperationRequest<K extends OperationId>(asked: Asked<K>, caller: Caller = {}): OperationRequest<K> {
  // `Asked` leaves out only what the document does not require, which TypeScript cannot follow for an unknown `K`.
  const given = { path: {}, query: {}, body: undefined, ...asked } as Given<K>
  return {
    ...given,
    sent: '',
    search: '',
    headers: {},
    address: '',
    connection: noConnection,
    checkToken: async () => {},
    ...caller,
  }
}
