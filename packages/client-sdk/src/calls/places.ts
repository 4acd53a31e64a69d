/**
 * Where the document's operations are served, and which need a user's token.
 * In: a path. Out: what the document says of it.
 */
import { serverOfPathWithoutUser } from '@posrep/spec/operations'
import type { Origins } from '../origins.ts'

const serverOf: Record<string, keyof Origins> = serverOfPathWithoutUser

export function isUserOperation(path: string): boolean {
  return !(path in serverOf)
}

/** The user interface serves all operations of users. */
export function toServer(path: string): keyof Origins {
  return serverOf[path] ?? 'ui'
}
