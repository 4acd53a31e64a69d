/**
 * The operations of the document as a table, by operationId: `method`, `path`, the `servers` that answer it (the first
 * is the usual one), and the `token` it needs, `userToken` or `deviceToken`, or null.
 * `serverOfPathWithoutUser` has a server of each path whose operation needs no user's token: the user interface if it
 * answers, otherwise the usual one. These paths have no parameters.
 */
import { operationTable, serverOfPathWithoutUser } from './generated/operation-table.ts'

export type { OperationInPortions } from './generated/operation-table.ts'
export { operationTable, serverOfPathWithoutUser }

type Table = typeof operationTable

/** The operations that need a user's or a device's access token. */
export type TokenOperationId = {
  [Id in keyof Table]: Table[Id]['token'] extends null ? never : Id
}[keyof Table]

export type OperationServer = Table[keyof Table]['servers'][number]
